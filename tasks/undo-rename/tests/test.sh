#!/bin/sh
# Reward 1: exactly the expected files and folders are there. expected.tsv: kind, checksum, path.
reward=/logs/verifier/reward.txt
expected=/tests/expected.tsv
tab=$(printf '\t')
export LC_ALL=C

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -d photos ] || [ -L photos ]; then
  echo "FAIL: there is no folder photos in $(pwd)"
  exit 1
fi

problems=$(
  while IFS=$tab read -r kind sum path; do
    if [ "$kind" = folder ]; then
      [ -d "$path" ] && [ ! -L "$path" ] || echo "the folder $path is missing"
      continue
    fi
    if [ ! -f "$path" ] || [ -L "$path" ]; then
      echo "$path is missing"
      continue
    fi
    found=$(sha256sum <"$path")
    [ "${found%% *}" = "$sum" ] || echo "$path is another file: it holds '$(head -c 60 "$path")'"
  done <"$expected"
  find photos | awk -F "$tab" '
    NR == FNR { known[$3]; next }
    !($0 in known) { print $0 " should not be there" }
  ' "$expected" -
)
if [ -n "$problems" ]; then
  printf 'FAIL: %s things are wrong; for example: %s\n' "$(printf '%s\n' "$problems" | wc -l)" \
    "$(printf '%s\n' "$problems" | head -n 1)"
  exit 1
fi

echo 1 >"$reward"
echo "PASS: photos is as it was"
