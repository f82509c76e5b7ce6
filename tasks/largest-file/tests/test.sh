#!/bin/sh
# Reward 1: answer.txt names the largest file and its size. A final newline is optional.
reward=/logs/verifier/reward.txt
# Known here, not measured: the folder was in the agent's hands.
answer='9871 archive/.hidden/draft 2.txt'

fail() {
  printf 'FAIL: %s\n' "$1"
  exit 1
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

[ -f answer.txt ] && [ ! -L answer.txt ] || fail "there is no regular file answer.txt in $(pwd)"
[ "$(wc -l <answer.txt)" -le 1 ] || fail "answer.txt has more than one line"
found=$(head -c 500 answer.txt)
[ "$found" = "$answer" ] || fail "answer.txt says '$found', which is not the size and path of the largest file"

echo 1 >"$reward"
echo "PASS: that is the largest file"
