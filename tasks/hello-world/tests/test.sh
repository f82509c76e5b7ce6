#!/bin/sh
# Reward 1: hello.txt holds exactly the greeting. A final newline is optional.
reward=/logs/verifier/reward.txt
greeting='Hello, world!'

fail() {
  echo "FAIL: $1"
  exit 1
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

[ -e hello.txt ] || fail "there is no hello.txt in $(pwd)"
[ -f hello.txt ] || fail "hello.txt is not a regular file"
printf '%s' "$greeting" | cmp -s - hello.txt ||
  printf '%s\n' "$greeting" | cmp -s - hello.txt ||
  fail "hello.txt must hold exactly \"$greeting\"; it holds: $(head -c 200 hello.txt | od -An -c)"

echo 1 >"$reward"
echo "PASS: hello.txt holds the greeting"
