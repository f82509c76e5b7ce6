#!/bin/sh
set -e
cat >merge.sh <<'SCRIPT'
#!/bin/sh
# Merges logs into one timeline: merge.sh FILE...
export LC_ALL=C
[ $# -gt 0 ] || { echo "usage: merge.sh FILE..." >&2; exit 2; }
for file; do
  if [ ! -f "$file" ] || [ ! -r "$file" ]; then
    printf 'merge.sh: %s: not a file that can be read\n' "$file" >&2
    exit 2
  fi
done

# Each line becomes: time in ms, file, number, text. Continuations get the key of their entry.
number=0
for file; do
  number=$((number + 1))
  awk -v file="$number" '
    # Days since 1970-01-01, and back; the year begins in March, so that the leap day is its last.
    function days(y, m, d) {
      if (m < 3) { y--; m += 12 }
      return 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * (m - 3) + 2) / 5) + d - 719469
    }
    function date(n, y, m) {
      for (y = 1970 + int(n / 365.2425) - 1; days(y + 1, 1, 1) <= n; y++);
      for (m = 1; m < 12 && days(y, m + 1, 1) <= n; m++);
      return sprintf("%04d-%02d-%02d", y, m, n - days(y, m, 1) + 1)
    }
    function whole(x) { return int(x) > x ? int(x) - 1 : int(x) }
    { sub(/\r$/, "") }
    /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9](\.[0-9][0-9]?[0-9]?)?(Z|[-+][0-9][0-9]:[0-9][0-9])( |$)/ {
      end = index($0, " ")
      stamp = end ? substr($0, 1, end - 1) : $0
      rest = end ? substr($0, end) : ""
      tail = substr(stamp, 20)
      ms = 0
      if (tail ~ /^\./) {
        match(tail, /^\.[0-9]+/)
        ms = substr(substr(tail, 2, RLENGTH - 1) "00", 1, 3) + 0
        tail = substr(tail, RLENGTH + 1)
      }
      offset = tail == "Z" ? 0 : substr(tail, 2, 2) * 60 + substr(tail, 5, 2)
      if (tail ~ /^-/) offset = -offset
      seconds = days(substr(stamp, 1, 4) + 0, substr(stamp, 6, 2) + 0, substr(stamp, 9, 2) + 0) * 86400 + \
        substr(stamp, 12, 2) * 3600 + substr(stamp, 15, 2) * 60 + substr(stamp, 18, 2) - offset * 60
      day = whole(seconds / 86400)
      left = seconds - day * 86400
      key = sprintf("%.0f", seconds * 1000 + ms)
      $0 = sprintf("%sT%02d:%02d:%02d.%03dZ", date(day), int(left / 3600), int(left / 60) % 60, left % 60, ms) rest
    }
    key != "" { printf "%s\t%d\t%d\t%s\n", key, file, NR, $0 }
  ' <"$file"
done | sort -t "$(printf '\t')" -k 1,1n -k 2,2n -k 3,3n | cut -f 4-
SCRIPT
chmod +x merge.sh
