#!/bin/sh
# Reward: the share of cases that hold. Each case is a folder with two inputs and the expected output.
reward=/logs/verifier/reward.txt
script=/app/summary.sh
work=$(mktemp -d)
total=0
held=0
export LC_ALL=C

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -f "$script" ] || [ ! -x "$script" ]; then
  echo "FAIL: $script is not there or can't be executed"
  exit 1
fi

mkdir "$work/run"
for place in /tests/cases/*/; do
  name=$(basename "$place")
  total=$((total + 1))
  mv "$place/customers.csv" "$work/run/first file"
  mv "$place/orders.csv" "$work/run/second file"
  # While the script runs, the answer is in no file that it could look into.
  expected=$(cat "$place/expected.csv")
  rm -r "$place"
  (cd "$work/run" && timeout 10 "$script" 'first file' "$work/run/second file" </dev/null >"$work/out" 2>"$work/err")
  code=$?
  if [ "$code" -ne 0 ]; then
    printf 'FAIL: %s: exit code %s; %s\n' "$name" "$code" "$(head -c 200 "$work/err")"
  elif printf '%s\n' "$expected" | cmp -s - "$work/out"; then
    held=$((held + 1))
    echo "ok: $name"
  else
    difference=$(printf '%s\n' "$expected" | diff - "$work/out" | sed -n 's/^</expected/p; s/^>/found/p' | head -n 2 | tr '\n' ';')
    printf 'FAIL: %s: %s\n' "$name" "$difference"
  fi
done

rm -rf "$work"
echo "$held of $total cases hold"
# The script under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
awk -v held="$held" -v total="$total" 'BEGIN { print held / total }' >"$reward"
[ "$held" -eq "$total" ]
