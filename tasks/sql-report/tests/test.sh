#!/bin/sh
# Reward: the share of databases for which the report is right; check.py makes them.
reward=/logs/verifier/reward.txt

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -f /app/report.sql ] || [ -L /app/report.sql ]; then
  echo "FAIL: there is no regular file /app/report.sql"
  exit 1
fi
cd / || exit 1
share=$(/usr/bin/python3 -I /tests/check.py 3>&1 >&2) || share=0
echo "${share:-0}" >"$reward"
[ "$share" = 1 ]
