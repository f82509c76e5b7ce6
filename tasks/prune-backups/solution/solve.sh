#!/bin/sh
set -e
cat >prune.sh <<'SCRIPT'
#!/bin/sh
# Thins out backups: prune.sh [--delete] DIR
export LC_ALL=C
delete=
if [ "$1" = --delete ]; then
  delete=yes
  shift
fi
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
  echo "usage: prune.sh [--delete] DIR" >&2
  exit 2
fi
case $1 in
  /*) cd "$1" ;;
  *) cd "./$1" ;;
esac || exit 2

# Newest first: date, then name. The date's place is counted from the end, as NAME may hold dates too.
find . -mindepth 1 -maxdepth 1 -type f -name '?*-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].tar.gz' | sed 's,^\./,,' |
  awk '{ print substr($0, length($0) - 16, 10) "\t" $0 }' | sort -r |
  awk '
    function valid(y, m, d, last) {
      if (m < 1 || m > 12 || d < 1) return 0
      last = m == 2 ? 28 + (y % 4 == 0 && y % 100 != 0 || y % 400 == 0) : 30 + (m + int(m / 8)) % 2
      return d <= last
    }
    {
      date = substr($0, 1, 10)
      file = substr($0, 12)
      name = substr(file, 1, length(file) - 18)
      year = substr(date, 1, 4)
      month = substr(date, 1, 7)
      if (!valid(year + 0, substr(date, 6, 2) + 0, substr(date, 9, 2) + 0)) next
      keep = ++count[name] <= 3
      if (!((name, month) in months)) { months[name, month]; if (++number[name] <= 6) keep = 1 }
      if (!((name, year) in years)) { years[name, year]; keep = 1 }
      if (!keep) print file
    }
  ' | sort | while IFS= read -r file; do
  printf '%s\n' "$file"
  [ -z "$delete" ] || rm -f "./$file"
done
SCRIPT
chmod +x prune.sh
