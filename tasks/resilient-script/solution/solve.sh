#!/bin/sh
set -e
cat >dedupe.sh <<'SCRIPT'
#!/bin/sh
# Deletes duplicate files in a folder: dedupe.sh DIR
set -eu
export LC_ALL=C

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
  echo "usage: dedupe.sh DIR" >&2
  exit 2
fi
# The leading ./ keeps names that start with a dash from being read as options.
case $1 in
  /*) cd "$1" ;;
  *) cd "./$1" ;;
esac

# Read through a redirect, sha256sum prints no name, so nothing in a name needs escaping.
find . -type f -size +0c | sort | while IFS= read -r file; do
  sum=$(sha256sum <"$file")
  printf '%s %s\n' "${sum%% *}" "${file#./}"
done | awk '
  # The input is sorted by path: the first file with a sum is the one to keep.
  { sum = $1; path = substr($0, length(sum) + 2) }
  sum in kept { print path; print kept[sum]; next }
  { kept[sum] = path }
' | while IFS= read -r path && IFS= read -r kept; do
  rm -f "./$path"
  printf '%s = %s\n' "$path" "$kept"
done
SCRIPT
chmod +x dedupe.sh
