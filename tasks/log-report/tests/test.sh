#!/bin/sh
# Reward 1: report.csv equals the expected report. CRLF line ends and a missing final newline are fine.
reward=/logs/verifier/reward.txt
expected=/tests/expected.csv

fail() {
  echo "FAIL: $1"
  exit 1
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

# A link could point at the expected report itself.
[ -f report.csv ] && [ ! -L report.csv ] || fail "there is no regular file report.csv in $(pwd)"

# One pass over both files; the first difference is what the reader needs.
difference=$(LC_ALL=C awk '
  { sub(/\r$/, "") }
  FILENAME == ARGV[1] { want[FNR] = $0; wanted = FNR; next }
  { found = FNR }
  FNR > wanted { print "report.csv has more than " wanted " lines: " $0; bad = 1; exit }
  $0 != want[FNR] { print "line " FNR " is \"" $0 "\", expected \"" want[FNR] "\""; bad = 1; exit }
  END {
    if (!bad && found < wanted) { print "report.csv has " found + 0 " lines, expected " wanted; bad = 1 }
    exit bad
  }
' "$expected" report.csv) || fail "$difference"

echo 1 >"$reward"
echo "PASS: the report is right"
