#!/bin/sh
set -e
cd /app/repo

dangling() { git fsck --no-reflogs --dangling 2>/dev/null | sed -n 's/^dangling commit //p'; }

newest=$(dangling | while read -r commit; do git log -1 --format='%ct %H %s' "$commit"; done |
  grep ' import: handle quoted fields$' | sort -n | tail -n 1 | cut -d ' ' -f 2)
git branch feature/import "$newest"

for commit in $(dangling); do
  if git show "$commit:notes.md" | grep -q 'release'; then git show "$commit:notes.md" >notes.md; fi
done
