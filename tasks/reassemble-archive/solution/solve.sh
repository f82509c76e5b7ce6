#!/bin/sh
set -e
work=$(mktemp -d)

for message in inbox/*.msg; do
  part=$(sed -n '1s/^Part: \([0-9]*\) of 12$/\1/p' "$message")
  sum=$(sed -n '2s/^Sha256: //p' "$message")
  [ -n "$part" ] || continue
  sed '1,/^$/d' "$message" | base64 -d >"$work/piece" 2>/dev/null || continue
  found=$(sha256sum <"$work/piece")
  [ "${found%% *}" != "$sum" ] || mv "$work/piece" "$work/$part"
done

for part in 1 2 3 4 5 6 7 8 9 10 11 12; do cat "$work/$part"; done >archive.tar.gz
mkdir -p restored
tar -xpzf archive.tar.gz -C restored
rm -rf "$work"
