#!/bin/sh
# Reward 1: the program builds from its sources and prints what a reference in awk prints, for new inputs each time.
reward=/logs/verifier/reward.txt
work=$(mktemp -d)
salt=$(od -An -N 3 -t u4 /dev/urandom | tr -d ' \n')
export LC_ALL=C

fail() {
  echo "FAIL: $1"
  rm -rf "$work"
  exit 1
}

# What README.md asks for, written once more; integers stay exact below 2^53.
reference() {
  awk '
    /^#/ || NF == 0 { next }
    { total[$1] += $2 }
    END { for (name in total) printf "%s %.0f\n", name, total[name] }
  ' "$1" | sort -k 1,1
}

# names COUNT ROUNDS: every name that many times, in mixed order, with amounts of both signs.
names() {
  awk -v count="$1" -v rounds="$2" -v salt="$salt" 'BEGIN {
    srand(salt)
    for (round = 1; round <= rounds; round++)
      for (i = 0; i < count; i++)
        printf "n%x%s %d\n", (i * 7919 + round) % count, salt, int(rand() * 2000000) - 1000000
  }'
}

# check LABEL: runs the built program on $work/in and compares.
check() {
  reference "$work/in" >"$work/want"
  timeout 10 "$work/app/tally" <"$work/in" >"$work/out" 2>"$work/err"
  code=$?
  [ "$code" -eq 0 ] || fail "$1: exit code $code, expected 0 $(head -c 200 "$work/err")"
  cmp -s "$work/want" "$work/out" ||
    fail "$1: $(diff "$work/want" "$work/out" | sed -n 's/^</expected/p; s/^>/found/p' | head -n 2 | tr '\n' ' ')"
  echo "ok: $1"
}

# reject LABEL LINE_NUMBER: the program must refuse $work/in at that line.
reject() {
  timeout 10 "$work/app/tally" <"$work/in" >"$work/out" 2>"$work/err"
  code=$?
  [ "$code" -eq 1 ] || fail "$1: exit code $code, expected 1"
  [ ! -s "$work/out" ] || fail "$1: printed something to standard output"
  [ "$(cat "$work/err")" = "tally: line $2: not a name and a number" ] ||
    fail "$1: standard error is '$(head -c 200 "$work/err")'"
  echo "ok: $1"
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

# Built in a copy and from nothing, so that files built before don't count.
cp -R /app "$work/app" && cd "$work/app" || fail "can't copy /app"
find . -name '*.o' -delete
rm -f tally
timeout 60 make >"$work/make" 2>&1 || fail "make: $(grep -v '^gcc\|^cc' "$work/make" | head -n 2 | tr '\n' ' ')"
timeout 60 make clean >"$work/make" 2>&1 || fail "make clean: $(tail -n 1 "$work/make")"
[ ! -e tally ] || fail "make clean leaves tally"
timeout 60 make >"$work/make" 2>&1 || fail "make after make clean: $(tail -n 1 "$work/make")"
[ "$(head -c 4 tally | od -An -c | tr -d ' ')" = '177ELF' ] || fail "make builds no program called tally"
make -B -n >"$work/make" 2>&1
for flag in -Wall -Wextra -Werror; do
  grep -q -e "$flag" "$work/make" || fail "$flag is no longer used"
done
echo "ok: it builds"

: >"$work/in"
check "empty input"
printf 'tea 3\ncoffee 4\ntea -1\n' >"$work/in"
check "the example"
printf '# a comment 7\n\n   \nb\t 5 \n  a   -7\nb +2\r\nZ 1' >"$work/in"
check "comments, blanks and no final newline"
printf 'big%s 3000000000\nbig%s 4000000000000\nlow -5000000000\n' "$salt" "$salt" >"$work/in"
check "numbers above 32 bits"
awk -v salt="$salt" 'BEGIN { for (i = 0; i < 900; i++) name = name "x"; print name salt, 1; print name salt "y", 2; print name salt, 3 }' >"$work/in"
check "long names"
for count in 12 13 14 25 49 100; do
  names "$count" 4 >"$work/in"
  check "$count names"
done
names 5000 5 >"$work/in"
check "5000 names"
printf 'a%s 1\nb 2x\n' "$salt" >"$work/in"
reject "a bad number" 2
printf 'a%s 1\n\n#\nb\n' "$salt" >"$work/in"
reject "a missing number" 4
names 40 2 >"$work/in"
echo 'two words 3' >>"$work/in"
reject "a third word after many names" 81

rm -rf "$work"
# The program under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
echo 1 >"$reward"
echo "PASS: it builds and behaves"
