#!/bin/sh
# Reward: the share of cases that hold. A case is a folder: the files 1, 2, …, their names and the expected output.
reward=/logs/verifier/reward.txt
script=/app/merge.sh
work=$(mktemp -d)
total=0
held=0
export LC_ALL=C

end() {
  total=$((total + 1))
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
  mkdir "$work/run"
  set --
  while IFS= read -r file; do
    mv "$place/$(($# + 1))" "$work/run/$file"
    set -- "$@" "$file"
  done <"$place/names"
  # While the script runs, the answer is in no file that it could look into.
  expected=$(cat "$place/expected"; echo .)
  expected=${expected%.}
  rm -r "$place"
  (cd "$work/run" && timeout 20 "$script" "$@" </dev/null >"$work/out" 2>"$work/err")
  code=$?
  [ "$code" -eq 0 ] || why="exit code $code; $(head -c 200 "$work/err")"
  [ -n "$why" ] || printf '%s' "$expected" | cmp -s - "$work/out" ||
    why=$(printf '%s' "$expected" | diff - "$work/out" | sed -n 's/^</expected/p; s/^>/found/p' | head -n 2 | tr '\n' ';')
  rm -r "$work/run"
  end
done

name=bad-usage
why=
mkdir "$work/run"
echo '2025-01-01T10:00:00Z a' >"$work/run/a"
for arguments in '' 'a missing' 'missing'; do
  # Split on purpose: these arguments hold no blanks of their own.
  (cd "$work/run" && timeout 20 "$script" $arguments </dev/null >"$work/out" 2>"$work/err")
  code=$?
  [ "$code" -eq 2 ] || why="exit code $code for the arguments '$arguments', expected 2"
  [ ! -s "$work/out" ] || why="it printed something for the arguments '$arguments'"
  [ -s "$work/err" ] || why="nothing on standard error for the arguments '$arguments'"
done
end

rm -rf "$work"
echo "$held of $total cases hold"
# The script under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
awk -v held="$held" -v total="$total" 'BEGIN { print held / total }' >"$reward"
[ "$held" -eq "$total" ]
