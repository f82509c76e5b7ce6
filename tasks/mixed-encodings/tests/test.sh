#!/bin/sh
# Reward: one third for each kind of encoding whose letters are all right; 0 when there are other files.
# expected.tsv: encoding, checksum of the text in UTF-8, path.
reward=/logs/verifier/reward.txt
expected=/tests/expected.tsv
tab=$(printf '\t')
export LC_ALL=C

fail() {
  printf 'FAIL: %s\n' "$1"
  exit 1
}

# Says what is wrong with one letter; silent when it is right.
problem() {
  file=utf8/$2
  [ -f "$file" ] && [ ! -L "$file" ] || { echo "not there, or not a regular file"; return; }
  sum=$(sha256sum <"$file")
  [ "${sum%% *}" = "$1" ] || echo "wrong text, it begins with:$(head -c 16 "$file" | od -An -tx1)"
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

[ -d utf8 ] && [ ! -L utf8 ] || fail "there is no folder utf8 in $(pwd)"
extra=$(cd utf8 && find . ! -type d | sed 's,^\./,,' |
  awk -F "$tab" 'NR == FNR { known[$3]; next } !($0 in known)' "$expected" - | head -n 1)
[ -z "$extra" ] || fail "utf8/$extra has no letter that it comes from"
(cd letters && sha256sum -c --quiet /tests/letters.sha256) >/dev/null 2>&1 || fail "letters was changed"

held=0
for encoding in utf-8 utf-16 latin-1; do
  broken=$(
    while IFS=$tab read -r of sum path; do
      [ "$of" = "$encoding" ] || continue
      what=$(problem "$sum" "$path")
      [ -z "$what" ] || echo "utf8/$path: $what"
    done <"$expected"
  )
  if [ -z "$broken" ]; then
    held=$((held + 1))
  else
    echo "FAIL: $encoding ($(echo "$broken" | wc -l) wrong): $(echo "$broken" | head -n 1)"
  fi
done

echo "$held of 3 encodings are right"
awk -v held="$held" 'BEGIN { print held / 3 }' >"$reward"
[ "$held" -eq 3 ]
