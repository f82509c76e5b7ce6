#!/bin/sh
set -e
export LC_ALL=C
cr=$(printf '\r')

find docs -type f | while IFS= read -r file; do
  # Binary: shorter without its zero bytes.
  [ "$(tr -d '\0' <"$file" | wc -c)" -eq "$(wc -c <"$file")" ] || continue
  # The last line counts only if a newline ends it.
  if [ "$(tail -c 1 "$file" | od -An -tx1 | tr -d ' ')" = 0a ]; then lines='1,$'; else lines='$!'; fi
  sed -i "${lines}s/$cr\$//" "$file"
done
