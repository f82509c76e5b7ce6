#!/bin/sh
set -e
cat >install.sh <<'SCRIPT'
#!/bin/sh
# Installs the application: install.sh SOURCE TARGET
set -eu
[ $# -eq 2 ] || { echo "usage: install.sh SOURCE TARGET" >&2; exit 2; }
case $1 in /*) source=$1 ;; *) source=./$1 ;; esac
case $2 in /*) target=$2 ;; *) target=./$2 ;; esac

# put FILE PLACE MODE: a new file under a name of its own, then moved over whatever is there.
put() {
  new=$(dirname "$2")/.install.$$
  (umask 077 && cat "$1" >"$new")
  chmod "$3" "$new"
  mv -fT "$new" "$2"
}

umask 022
mkdir -p "$target/bin" "$target/share" "$target/etc"
[ -d "$target/private" ] || mkdir -m 700 "$target/private"
chmod 755 "$target" "$target/bin" "$target/share" "$target/etc"
chmod 700 "$target/private"

for part in bin share etc private; do
  for file in "$source/$part"/* "$source/$part"/.*; do
    [ -f "$file" ] || continue
    place=$target/$part/${file##*/}
    case $part in
      bin) put "$file" "$place" 755 ;;
      share) put "$file" "$place" 644 ;;
      private) put "$file" "$place" 600 ;;
      etc)
        if [ ! -f "$place" ] || [ -L "$place" ]; then
          put "$file" "$place" 640
        elif ! cmp -s "$file" "$place"; then
          put "$file" "$place.new" 640
        fi
        ;;
    esac
  done
done
SCRIPT
chmod +x install.sh
