#!/bin/sh
# Reward 1: every file has the expected bytes and mode, and no other is there.
# expected.tsv: checksum, mode, path.
reward=/logs/verifier/reward.txt
expected=/tests/expected.tsv
tab=$(printf '\t')
export LC_ALL=C

fail() {
  printf 'FAIL: %s\n' "$1"
  exit 1
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

[ -d docs ] && [ ! -L docs ] || fail "there is no folder docs in $(pwd)"
extra=$(find docs ! -type d | awk -F "$tab" 'NR == FNR { known[$3]; next } !($0 in known)' "$expected" - | head -n 1)
[ -z "$extra" ] || fail "$extra was not there before"

while IFS=$tab read -r sum mode path; do
  [ -f "$path" ] && [ ! -L "$path" ] || fail "$path is gone or not a regular file"
  found=$(sha256sum <"$path")
  [ "${found%% *}" = "$sum" ] ||
    fail "$path does not hold what it should; it ends with:$(tail -c 12 "$path" | od -An -c | tr -s ' ')"
  found=$(stat -c %a "$path")
  [ "$found" = "$mode" ] || fail "$path has mode $found, it had $mode"
done <"$expected"

echo 1 >"$reward"
echo "PASS: all files are as they should be"
