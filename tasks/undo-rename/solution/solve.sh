#!/bin/sh
set -e
tab=$(printf '\t')
cd photos

# Last action first; what failed, and the note that it did, left out.
awk -F "$tab" '$1 == "failed" { count--; next } { line[++count] = $0 } END { while (count) print line[count--] }' \
  ../rename.log | while IFS=$tab read -r action old new; do
  case $action in
    # Something to take back only if it is there: it may have been deleted, or the crash came first.
    move) if [ -e "$new" ] && [ ! -e "$old" ]; then mkdir -p "$(dirname "$old")" && mv -T "$new" "$old"; fi ;;
    mkdir) rmdir "$old" 2>/dev/null || true ;;
  esac
done
