#!/bin/sh
# Reward: the share of cases that hold. A case is a list of file names and the list of those that go.
reward=/logs/verifier/reward.txt
script=/app/prune.sh
work=$(mktemp -d)
total=0
held=0
export LC_ALL=C

# Only the first problem of a case is reported.
miss() {
  [ -n "$why" ] || why=$1
}

# run EXIT_CODE ARGUMENT...: runs the script beside the folder and keeps its output.
run() {
  want=$1
  shift
  (cd "$work/run" && timeout 20 "$script" "$@" </dev/null >"$work/out" 2>"$work/err")
  code=$?
  [ "$code" -eq "$want" ] || miss "exit code $code, expected $want; $(head -c 150 "$work/err")"
}

# same LABEL TEXT FILE: the file holds exactly the text.
same() {
  { [ -z "$2" ] || printf '%s\n' "$2"; } >"$work/want"
  cmp -s "$work/want" "$3" ||
    miss "$1: $(diff "$work/want" "$3" | sed -n 's/^</expected/p; s/^>/found/p' | head -n 2 | tr '\n' ';')"
  rm "$work/want"
}

list() {
  (cd "$work/run" && find "./$folder" -mindepth 1 | sed "s,^\./[^/]*/,,") | sort >"$work/have"
}

end() {
  total=$((total + 1))
  rm -rf "$work/run"
  if [ -z "$why" ]; then
    held=$((held + 1))
    echo "ok: $name"
  else
    printf 'FAIL: %s: %s\n' "$name" "$why"
  fi
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -f "$script" ] || [ ! -x "$script" ]; then
  echo "FAIL: $script is not there or can't be executed"
  exit 1
fi

for place in /tests/cases/*/; do
  name=$(basename "$place")
  why=
  folder='-my  backups'
  mkdir -p "$work/run/$folder"
  while IFS= read -r file; do echo x >"$work/run/$folder/$file"; done <"$place/names"
  # While the script runs, the answer is in no file that it could look into.
  all=$(sort "$place/names")
  expected=$(cat "$place/expected")
  stay=$(sort "$place/names" | grep -vxF -f "$place/expected")
  [ -n "$expected" ] || stay=$all
  rm -r "$place"

  run 0 "$folder"
  same "what it prints" "$expected" "$work/out"
  list
  same "without --delete the folder should stay as it is" "$all" "$work/have"
  run 0 --delete "$work/run/$folder/"
  same "what it prints with --delete" "$expected" "$work/out"
  list
  same "after --delete the folder should hold" "$stay" "$work/have"
  end
done

# A folder, a link and a file further down are no backups, whatever they are called.
name=other-kinds
why=
folder=data
mkdir -p "$work/run/data/db-2025-01-01.tar.gz" "$work/run/data/sub"
for day in 05 06 07 08 09; do
  echo x >"$work/run/data/db-2025-01-$day.tar.gz"
  echo x >"$work/run/data/sub/db-2025-01-$day.tar.gz"
done
ln -s db-2025-01-09.tar.gz "$work/run/data/db-2025-01-02.tar.gz"
run 0 --delete data
same "what it prints" "db-2025-01-05.tar.gz
db-2025-01-06.tar.gz" "$work/out"
[ -d "$work/run/data/db-2025-01-01.tar.gz" ] || miss "it deleted a folder"
[ -L "$work/run/data/db-2025-01-02.tar.gz" ] || miss "it deleted a symbolic link"
[ "$(ls "$work/run/data/sub" | wc -l)" -eq 5 ] || miss "it deleted something in a subfolder"
end

name=bad-usage
why=
mkdir -p "$work/run/data"
for day in 05 06 07 08 09; do echo x >"$work/run/data/db-2025-01-$day.tar.gz"; done
for arguments in '' --delete 'missing' '--delete missing' 'data data' '--delete data data' 'data/db-2025-01-05.tar.gz'; do
  # Split on purpose: these arguments hold no blanks of their own.
  run 2 $arguments
  [ ! -s "$work/out" ] || miss "it printed something for the arguments '$arguments'"
  [ -s "$work/err" ] || miss "nothing on standard error for the arguments '$arguments'"
done
[ "$(ls "$work/run/data" | wc -l)" -eq 5 ] || miss "it deleted something"
end

rm -rf "$work"
echo "$held of $total cases hold"
# The script under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
awk -v held="$held" -v total="$total" 'BEGIN { print held / total }' >"$reward"
[ "$held" -eq "$total" ]
