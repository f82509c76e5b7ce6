#!/bin/sh
# Reward: half for the archive, half for what was unpacked.
# expected.tsv: kind, mode, checksum or target, path.
reward=/logs/verifier/reward.txt
expected=/tests/expected.tsv
tab=$(printf '\t')
held=0
export LC_ALL=C

# Says what is wrong with the unpacked folder; silent when it is right.
unpacked() {
  [ -d restored ] && [ ! -L restored ] || { echo "there is no folder restored in $(pwd)"; return; }
  extra=$(cd restored && find . -mindepth 1 | sed 's,^\./,,' |
    awk -F "$tab" 'NR == FNR { known[$4]; next } !($0 in known)' "$expected" - | head -n 1)
  [ -z "$extra" ] || { echo "restored/$extra is not in the archive"; return; }
  while IFS=$tab read -r kind mode what path; do
    file=restored/$path
    case $kind in
      link)
        [ -L "$file" ] && [ "$(readlink "$file")" = "$what" ] || { echo "$file is not a link to $what"; return; }
        continue
        ;;
      folder) [ -d "$file" ] && [ ! -L "$file" ] || { echo "the folder $file is missing"; return; } ;;
      file)
        [ -f "$file" ] && [ ! -L "$file" ] || { echo "the file $file is missing"; return; }
        sum=$(sha256sum <"$file")
        [ "${sum%% *}" = "$what" ] || { echo "$file has the wrong contents"; return; }
        ;;
    esac
    found=$(stat -c %a "$file")
    [ "$found" = "$mode" ] || { echo "$file has mode $found, expected $mode"; return; }
  done <"$expected"
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -f archive.tar.gz ] || [ -L archive.tar.gz ]; then
  echo "FAIL: there is no regular file archive.tar.gz in $(pwd)"
elif sha256sum -c --quiet /tests/archive.sha256 >/dev/null 2>&1; then
  held=$((held + 1))
  echo "ok: archive.tar.gz"
else
  echo "FAIL: archive.tar.gz is not the archive that was sent ($(wc -c <archive.tar.gz) bytes)"
fi

problem=$(unpacked)
if [ -z "$problem" ]; then
  held=$((held + 1))
  echo "ok: restored"
else
  echo "FAIL: $problem"
fi

echo "$held of 2 results are right"
awk -v held="$held" 'BEGIN { print held / 2 }' >"$reward"
[ "$held" -eq 2 ]
