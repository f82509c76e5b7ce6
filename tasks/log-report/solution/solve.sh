#!/bin/sh
set -e
export LC_ALL=C

# Split at the quotes: 1 address and date, 2 request, 3 status and bytes, 4 referrer, 6 user agent.
awk -F '"' '
  NF != 7 || $6 ~ /^HealthCheck\// { next }
  split($2, request, " ") != 3 || request[3] !~ /^HTTP\/[0-9]/ { next }
  split($3, answer, " ") != 2 { next }
  {
    path = request[2]
    sub(/\?.*/, "", path)
    requests[path]++
    errors[path] += (answer[1] >= 400)
    bytes[path] += answer[2]
  }
  END {
    for (path in requests) printf "%s\t%d\t%d\t%d\n", path, requests[path], errors[path], bytes[path]
  }
' access.log |
  sort -t "$(printf '\t')" -k 2,2nr -k 1,1 |
  head -n 10 |
  awk -F '\t' '
    BEGIN { print "path,requests,errors,bytes" }
    $1 ~ /,/ { $1 = "\"" $1 "\"" }
    { print $1 "," $2 "," $3 "," $4 }
  ' >report.csv
