#!/bin/sh
set -e

# Links first, so that the stubs get no mode and the targets can be looked at.
find site -type f | while IFS= read -r file; do
  [ "$(wc -l <"$file")" -eq 1 ] || continue
  target=$(sed -n 's/^symlink: //p' "$file")
  [ -n "$target" ] || continue
  rm "$file"
  ln -s "$target" "$file"
done
# A broken link breaks those that lead to it as well; -xtype sees through the whole chain.
find site -xtype l -delete

find site -type d -exec chmod 750 {} +
find site -type f | while IFS= read -r file; do
  if [ "$(head -c 2 "$file")" = '#!' ]; then chmod 750 "$file"; else chmod 640 "$file"; fi
done
find site/etc/secrets -type d -exec chmod 700 {} +
find site/etc/secrets -type f -exec chmod 600 {} +
