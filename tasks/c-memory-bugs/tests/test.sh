#!/bin/sh
# Reward: the share of cases that hold. The sources are built with a strict allocator and compared with a reference in awk.
reward=/logs/verifier/reward.txt
work=$(mktemp -d)
salt=$(od -An -N 3 -t u4 /dev/urandom | tr -d ' \n')
total=0
held=0
export LC_ALL=C

fail() {
  printf 'FAIL: %s\n' "$1"
  rm -rf "$work"
  exit 1
}

# check LABEL: runs the program on $work/in and compares.
check() {
  total=$((total + 1))
  /usr/bin/awk -f "$work/reference.awk" "$work/in" >"$work/want"
  timeout 20 "$work/guarded" <"$work/in" >"$work/out" 2>"$work/err"
  code=$?
  case $code in
    0)
      if cmp -s "$work/want" "$work/out"; then
        held=$((held + 1))
        echo "ok: $1"
      else
        printf 'FAIL: %s: %s\n' "$1" \
          "$(diff -a "$work/want" "$work/out" | sed -n 's/^</expected/p; s/^>/found/p' | head -n 2 | cut -c 1-120 | tr '\n' ';')"
      fi
      ;;
    134 | 139) echo "FAIL: $1: a wrong memory access ended the program" ;;
    124) echo "FAIL: $1: it did not end" ;;
    *) printf 'FAIL: %s: exit code %s; %s\n' "$1" "$code" "$(head -c 150 "$work/err")" ;;
  esac
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

cp -R /app "$work/app" && cd "$work/app" || fail "can't copy /app"
mv /tests/reference.awk /tests/guard.c "$work/"
find . \( -name '*.o' -o -name store -type f \) -delete
timeout 60 make >"$work/make" 2>&1 || fail "make: $(tail -n 1 "$work/make")"
[ -x store ] || fail "make builds no program called store"
grep -q '__wrap_\|__real_' ./*.c ./*.h 2>/dev/null && fail "the sources meddle with the allocator's names"
/usr/bin/gcc -std=gnu11 -O0 -g -D_FORTIFY_SOURCE=0 -fstack-protector-all -fsanitize=bounds -fsanitize-undefined-trap-on-error \
  -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=strdup,--wrap=strndup \
  -o "$work/guarded" ./*.c "$work/guard.c" >"$work/make" 2>&1 || fail "can't be built for the test: $(grep -m 1 error "$work/make")"

printf 'set a 1\nget a\ncount\nlist\nget b\ndel a\ndel a\nget a\n' >"$work/in"
check "plain commands"
: >"$work/in"
check "empty input"
printf '\n\nset\nget\nfoo\nfoo bar\nget a b\ncount 1\ndel\nset  x\nclear x\nset k\nget k\nset k \nget k\nappend k\nget k' >"$work/in"
check "odd lines"
printf 'set k%s one\nset k%s one longer than it was\nget k%s\nset k%s two\nget k%s\nset k%s \nget k%s\n' "$salt" "$salt" "$salt" "$salt" "$salt" "$salt" "$salt" >"$work/in"
check "values that change"
printf 'append k%s a\nappend k%s  b c\nget k%s\nset k%s x\nappend k%s \nappend k%s yz\nget k%s\n' "$salt" "$salt" "$salt" "$salt" "$salt" "$salt" "$salt" >"$work/in"
check "appending"
printf 'list\nset b 1\nlist\nset a 2\nset c 3\nlist\ndel b\nlist\n' >"$work/in"
check "listing"
printf 'set k 1\nget k\ndel k\nget k\nset k 2\nget k\nclear\nget k\nset k 3\nget k\ncount\n' >"$work/in"
check "a key that comes back"
printf 'set a 1\nset b 2\nclear\ncount\nlist\nclear\nset a 3\nget a\nget b\nlist\n' >"$work/in"
check "clearing"
awk -v salt="$salt" 'BEGIN {
  for (i = 0; i < 200; i++) print "set " (i % 3 ? "user" : "item") i * 7 salt " v" i
  print "drop user1"; print "count"; print "drop nothing"; print "drop item"; print "list"; print "drop user"; print "count"; print "list"
}' >"$work/in"
check "dropping"
awk 'BEGIN { for (n = 1; n <= 140; n++) { text = text "x"; print "set k" n " " text; print "get k" n; print text } }' >"$work/in"
check "every length of a line"
awk -v salt="$salt" 'BEGIN { for (i = 0; i < 5000; i++) text = text "long "; print "set k " text salt; print "get k"; print text; print "append k " text; print "get k" }' >"$work/in"
check "very long lines"
awk 'BEGIN { for (i = 128; i < 256; i++) { printf "set %c%c v%d\nget %c%c\n", i, i, i, i, i; if (i % 3 == 0) printf "del %c%c\n", i, i } print "count"; print "list" }' >"$work/in"
check "bytes above 127"
awk -v salt="$salt" 'BEGIN {
  srand(salt)
  split("set set set append append get get get del del drop count list clear", word, " ")
  for (i = 0; i < 2500; i++) {
    w = word[1 + int(rand() * (rand() < 0.02 ? 14 : 11))]
    k = "k" int(rand() * 30)
    v = ""
    for (n = int(rand() * 20); n > 0; n--) v = v substr("abc de", 1 + int(rand() * 6), 1)
    print w == "set" || w == "append" ? w " " k " " v : w == "get" || w == "del" || w == "drop" ? w " " k : w
  }
}' >"$work/in"
check "a long session"

rm -rf "$work"
echo "$held of $total cases hold"
# The program under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
awk -v held="$held" -v total="$total" 'BEGIN { print held / total }' >"$reward"
[ "$held" -eq "$total" ]
