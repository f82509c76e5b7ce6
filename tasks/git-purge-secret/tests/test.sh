#!/bin/sh
# Reward 1: the history is exactly the old one without the key, and the repository holds it nowhere.
# refs.txt: where branches and tags end in a repository that was made without the key from the start. A commit's name covers
# all that it holds and all before it. log.txt is the same history in words, to say what differs.
reward=/logs/verifier/reward.txt
key=tk_live_9f2c71d0aa53
held=0
# The agent's own git settings and hooks must not matter.
export HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 GIT_OPTIONAL_LOCKS=0 GIT_NO_REPLACE_OBJECTS=1 LC_ALL=C
git() { /usr/bin/git -c safe.directory='*' -c core.fsmonitor=false -c core.hooksPath=/nonexistent "$@"; }

check() {
  if [ -z "$2" ]; then
    held=$((held + 1))
    echo "ok: $1"
  else
    printf 'FAIL: %s: %s\n' "$1" "$2"
  fi
}

history_problem() {
  [ ! -e .git/info/grafts ] && [ -z "$(git for-each-ref refs/replace)" ] || { echo "it uses grafts or replacements"; return; }
  git for-each-ref --format='%(objectname) %(objecttype) %(refname)' refs/heads refs/tags >/tmp/refs.txt
  cmp -s /tests/refs.txt /tmp/refs.txt && return
  for ref in $(cut -d ' ' -f 3 /tests/refs.txt); do
    git rev-parse -q --verify "$ref" >/dev/null || { echo "$ref is gone"; return; }
  done
  git log --branches --tags --date-order --date=raw --format='%an, %ad, %cn, %cd, files %T: %B' >/tmp/log.txt
  what=$(diff /tests/log.txt /tmp/log.txt | sed -n 's/^</expected/p; s/^>/found/p' | head -n 2 | tr '\n' ';')
  [ -n "$what" ] || what=$(diff /tests/refs.txt /tmp/refs.txt | sed -n 's/^</expected/p; s/^>/found/p' | head -n 2 | tr '\n' ';')
  echo "$what"
}

key_problem() {
  git fsck --full >/dev/null 2>/tmp/fsck || { echo "git fsck fails: $(head -n 1 /tmp/fsck)"; return; }
  [ ! -e .git/objects/info/alternates ] || { echo "it borrows objects from another repository"; return; }
  object=$(git cat-file --batch-all-objects --batch-check='%(objectname)' | while read -r name; do
    ! git cat-file -p "$name" | grep -q -a "$key" || { echo "$name"; break; }
  done)
  [ -z "$object" ] || { echo "the object $object still holds the key"; return; }
  file=$(grep -r -l -a "$key" . | head -n 1)
  [ -z "$file" ] || { echo "the file $file holds the key"; return; }
  [ "$(git symbolic-ref HEAD)" = refs/heads/main ] || { echo "main is not checked out"; return; }
  dirty=$(git status --porcelain --ignored | head -n 1)
  [ -z "$dirty" ] || echo "the working folder is not clean: $dirty"
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

cd /app/repo 2>/dev/null && git rev-parse --git-dir >/dev/null 2>&1 || { echo "FAIL: /app/repo is no git repository"; exit 1; }
git rev-parse -q --verify refs/heads/main >/dev/null || { echo "FAIL: there is no branch main"; exit 1; }

check "the history" "$(history_problem 2>&1)"
check "no trace of the key" "$(key_problem 2>&1)"

echo "$held of 2 parts hold"
[ "$held" -eq 2 ] || exit 1
echo 1 >"$reward"
