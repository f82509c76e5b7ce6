#!/bin/sh
# Reward: one fifth for each rule that holds everywhere, 0 when the tree itself was damaged.
# manifest.tsv lists every path that may exist: rule, kind, mode or target, path.
reward=/logs/verifier/reward.txt
manifest=/tests/manifest.tsv
tab=$(printf '\t')
LC_ALL=C
export LC_ALL

fail() {
  echo "FAIL: $1"
  exit 1
}

# Says what is wrong with one path; silent when it is right.
problem() {
  kind=$1 want=$2 path=$3
  case $kind in
    absent)
      [ ! -e "$path" ] && [ ! -L "$path" ] || echo "the stub of a broken link is still there, or became one"
      ;;
    link)
      [ -L "$path" ] || { echo "not a symbolic link"; return; }
      target=$(readlink "$path")
      [ "$target" = "$want" ] || echo "points to '$target', expected '$want'"
      ;;
    *)
      mode=$(stat -c %a "$path")
      [ "$mode" = "$want" ] || echo "has mode $mode, expected $want"
      ;;
  esac
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

[ -d site ] && [ ! -L site ] || fail "there is no folder site in $(pwd)"

extra=$(find site | awk -F "$tab" 'NR == FNR { known[$4]; next } !($0 in known)' "$manifest" - | head -n 1)
[ -z "$extra" ] || fail "$extra was not there before"

# Through a link the contents would look right, so the kind is looked at as well.
while IFS=$tab read -r rule kind want path; do
  case $kind in
    folder) [ -d "$path" ] && [ ! -L "$path" ] || fail "the folder $path is gone" ;;
    file) [ -f "$path" ] && [ ! -L "$path" ] || fail "the file $path is gone" ;;
  esac
done <"$manifest"
changed=$(sha256sum -c --quiet /tests/contents.sha256 2>/dev/null) || fail "contents changed: $changed"

held=0
for rule in folders programs files secrets links; do
  broken=$(
    while IFS=$tab read -r of kind want path; do
      [ "$of" = "$rule" ] || continue
      what=$(problem "$kind" "$want" "$path")
      [ -z "$what" ] || echo "$path: $what"
    done <"$manifest"
  )
  if [ -z "$broken" ]; then
    held=$((held + 1))
  else
    # One example a rule is enough to see what went wrong.
    echo "FAIL: $rule ($(echo "$broken" | wc -l) wrong): $(echo "$broken" | head -n 1)"
  fi
done

echo "$held of 5 rules hold"
awk -v held="$held" 'BEGIN { print held / 5 }' >"$reward"
[ "$held" -eq 5 ]
