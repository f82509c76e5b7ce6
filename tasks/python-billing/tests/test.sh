#!/bin/sh
# Reward: the share of cases that hold; check.py has the cases.
reward=/logs/verifier/reward.txt

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -f /app/billing.py ] || [ -L /app/billing.py ]; then
  echo "FAIL: there is no regular file /app/billing.py"
  exit 1
fi
# Read into memory and taken away; through a pipe, as a command line could be read in /proc.
cases=$(cat /tests/check.py)
rm /tests/check.py
cd / || exit 1
share=$(printf '%s\n' "$cases" | /usr/bin/python3 -I - 3>&1 >&2) || share=0
# The program under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
echo "${share:-0}" >"$reward"
[ "$share" = 1 ]
