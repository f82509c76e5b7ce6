#!/bin/sh
# Reward: the share of cases that hold. Each case is a new folder whose contents differ from run to run.
reward=/logs/verifier/reward.txt
script=/app/dedupe.sh
work=$(mktemp -d)
salt=$(od -An -N 6 -t x1 /dev/urandom | tr -d ' \n')
tab=$(printf '\t')
total=0
held=0
export LC_ALL=C

# begin NAME [FOLDER]: starts a case in a place of its own.
begin() {
  name=$1
  why=
  place=$work/$name
  data=${2:-data}
  mkdir -p "$place/$data"
}

# put PATH CONTENTS: makes a file. The salt keeps the contents from being known before.
put() {
  mkdir -p "$(dirname "$place/$data/$1")"
  printf '%s %s\n' "$2" "$salt" >"$place/$data/$1"
}

# Only the first problem of a case is reported.
miss() {
  [ -n "$why" ] || why=$1
}

# run EXIT_CODE ARGUMENT...: runs the script from beside the data and keeps its output.
run() {
  want=$1
  shift
  (cd "$place" && timeout 8 "$script" "$@" </dev/null >"$work/out" 2>"$work/err")
  code=$?
  [ "$code" -eq "$want" ] || miss "exit code $code, expected $want$(sed -n '1s/^/; it wrote: /p' "$work/err")"
}

# prints LINE...: standard output is exactly these lines.
prints() {
  [ $# -eq 0 ] || printf '%s\n' "$@" >"$work/want"
  [ $# -ne 0 ] || : >"$work/want"
  cmp -s "$work/want" "$work/out" ||
    miss "wrong output: $(diff "$work/want" "$work/out" | sed -n 's/^</expected/p; s/^>/found/p' | head -n 1)"
}

# leaves PATH...: exactly these files, links and folders are in the data now.
leaves() {
  [ $# -eq 0 ] || printf '%s\n' "$@" | sort >"$work/want"
  [ $# -ne 0 ] || : >"$work/want"
  (cd "$place" && find "./$data" -mindepth 1 -printf '%P\n') | sort >"$work/have"
  cmp -s "$work/want" "$work/have" ||
    miss "wrong files: $(diff "$work/want" "$work/have" | sed -n 's/^</missing/p; s/^>/left over/p' | head -n 1)"
  [ "$(ls -A "$place")" = "$data" ] || miss "it left files in the folder it was started from"
}

end() {
  total=$((total + 1))
  if [ -z "$why" ]; then
    held=$((held + 1))
    echo "ok: $name"
  else
    echo "FAIL: $name: $why"
  fi
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -f "$script" ] || [ ! -x "$script" ]; then
  echo "FAIL: $script is not there or can't be executed"
  exit 1
fi

begin plain
put a.txt one
put b/copy.txt one
put b/c/again.txt one
put other.txt two
run 0 data
prints 'b/c/again.txt = a.txt' 'b/copy.txt = a.txt'
leaves a.txt b b/c other.txt
end

begin several-groups
for n in 1 2 3 4; do
  put "more/$n" "text $n"
  put "keep/$n" "text $n"
done
run 0 data
prints 'more/1 = keep/1' 'more/2 = keep/2' 'more/3 = keep/3' 'more/4 = keep/4'
leaves keep keep/1 keep/2 keep/3 keep/4 more
end

begin byte-order
put Zebra one
put apple one
put a/x two
put 'a b/x' two
put a.x two
put 10 three
put 9 three
run 0 data
prints '9 = 10' 'a.x = a b/x' 'a/x = a b/x' 'apple = Zebra'
leaves 10 a 'a b' 'a b/x' Zebra
end

begin blanks
put 'my file.txt' one
put 'my  file.txt' one
put ' leading' two
put 'trailing ' two
put "tab${tab}inside" three
put "sub folder/tab${tab}inside" three
run 0 data
prints 'my file.txt = my  file.txt' "tab${tab}inside = sub folder/tab${tab}inside" 'trailing  =  leading'
leaves 'my  file.txt' ' leading' 'sub folder' "sub folder/tab${tab}inside"
end

begin odd-characters
put "it's" one
put 'say "hi"' one
put 'back\slash' two
put 'back\nslash' two
put '*' three
put '[ab]?' three
put '$HOME' four
put '`id`' four
put '%s = %d' five
put 'a = b' five
put '#' six
put '&;|' six
run 0 data
prints '&;| = #' '[ab]? = *' '`id` = $HOME' 'a = b = %s = %d' 'back\slash = back\nslash' "say \"hi\" = it's"
leaves "it's" 'back\nslash' '*' '$HOME' '%s = %d' '#'
end

begin leading-dash
put -rf one
put --help one
put -n two
put -/-e two
run 0 data
prints '-n = -/-e' '-rf = --help'
leaves --help - -/-e
end

begin any-language
put 'grüße.txt' one
put 'Ελλάδα/αρχείο' one
put 'żółw' one
put '日本語 ファイル.txt' two
put 'emoji 🙂' two
run 0 data
prints 'żółw = grüße.txt' 'Ελλάδα/αρχείο = grüße.txt' '日本語 ファイル.txt = emoji 🙂'
leaves 'grüße.txt' 'Ελλάδα' 'emoji 🙂'
end

begin odd-folder '-n  my *data'
put one.txt one
put two.txt one
run 0 '-n  my *data'
prints 'two.txt = one.txt'
leaves one.txt
put again.txt one
run 0 "$place/-n  my *data/"
prints 'one.txt = again.txt'
leaves again.txt
end

begin inside-the-folder
put sub/b one
put sub/a one
place=$place/data
data=sub
run 0 ./sub/
prints 'b = a'
leaves a
put b one
place=$place/sub
run 0 .
prints 'b = a'
end

begin hidden-files
put .first one
put second one
put .folder/third one
run 0 data
prints '.folder/third = .first' 'second = .first'
leaves .first .folder
end

begin empty-files
: >"$place/data/empty 1"
: >"$place/data/empty 2"
put full one
run 0 data
prints
leaves 'empty 1' 'empty 2' full
end

begin symbolic-links
put real.txt one
put z/copy.txt one
ln -s real.txt "$place/data/a-link"
ln -s z "$place/data/b-folder-link"
ln -s nowhere "$place/data/c-broken"
run 0 data
prints 'z/copy.txt = real.txt'
leaves a-link b-folder-link c-broken real.txt z
end

# Same length and same beginning, a zero byte in the middle, a final newline more: all different.
begin nearly-the-same
put a "same start, end 1"
put b "same start, end 2"
printf 'x\0y' >"$place/data/c"
printf 'x\0z' >"$place/data/d"
printf 'end' >"$place/data/e"
printf 'end\n' >"$place/data/f"
printf 'x\0z' >"$place/data/g"
run 0 data
prints 'g = d'
leaves a b c d e f
end

begin empty-folder
run 0 data
prints
leaves
end

begin second-run
put a one
put b one
run 0 data
prints 'b = a'
run 0 data
prints
leaves a
end

begin bad-usage
put a one
put b one
for arguments in '' 'data data' 'missing' 'data/a'; do
  # Split on purpose: these arguments hold no blanks of their own.
  run 2 $arguments
  prints
  [ -s "$work/err" ] || miss "nothing on standard error for the arguments: $arguments"
done
leaves a b
end

rm -rf "$work"
echo "$held of $total cases hold"
# The script under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
awk -v held="$held" -v total="$total" 'BEGIN { print held / total }' >"$reward"
[ "$held" -eq "$total" ]
