#!/bin/sh
# The reward is 1 if sorted.txt is right and words.txt is as it was. The last line says why it is not.
reward=/logs/verifier/reward.txt

fail() {
  echo "FAIL: $1"
  exit 1
}

# Written first, so that a test that aborts counts as a failure.
echo 0 >"$reward"

[ -e sorted.txt ] || fail "sorted.txt is missing in $(pwd)"
# A link could lead to the expected answer.
[ -f sorted.txt ] && [ ! -L sorted.txt ] || fail "sorted.txt is not a regular file"
cmp -s sorted.txt /tests/expected.txt ||
  fail "sorted.txt differs: $(diff /tests/expected.txt sorted.txt | head -n 5 | tr '\n' ' ')"
cmp -s words.txt /tests/words.txt || fail "words.txt was changed"

echo 1 >"$reward"
echo "PASS: sorted.txt has each word once, in order"
