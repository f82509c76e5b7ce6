#!/bin/sh
set -e
cat >next.sh <<'SCRIPT'
#!/bin/sh
# Hands out numbers: next.sh FILE
case $1 in
  /*) file=$1 ;;
  *) file=./$1 ;;
esac
if [ $# -ne 1 ] || [ ! -d "$(dirname "$file")" ]; then
  echo "next.sh: no such place: $1" >&2
  exit 1
fi
lock=$file.lock
new=$file.$$

# The lock is a link that says whose it is, so that an interrupted caller knows whether to remove it.
release() {
  rm -f "$new"
  [ "$(readlink "$lock")" != $$ ] || rm -f "$lock"
}
trap 'release; exit 143' TERM
trap 'release; exit 130' INT

until ln -s $$ "$lock" 2>/dev/null; do sleep 0.02; done

number=0
[ ! -e "$file" ] || number=$(cat "$file")
case $number in
  '' | *[!0-9]*)
    release
    echo "next.sh: $1 holds no number" >&2
    exit 1
    ;;
esac
number=$((number + 1))
echo "$number" >"$new"
mv "$new" "$file"
release
echo "$number"
SCRIPT
chmod +x next.sh
