#!/bin/sh
# Reward: one third each for the branch, the stash and a repository that is otherwise as it was.
reward=/logs/verifier/reward.txt
branch=7a9e88ce821f9f30acf9894cdff81f2bfc9cc00b
main=540fef1b7ce39e246c47872f1d57b5c1c9fceadc
held=0
# The agent's own git settings and hooks must not matter.
export HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 GIT_OPTIONAL_LOCKS=0 LC_ALL=C
git() { /usr/bin/git -c safe.directory='*' -c core.fsmonitor=false -c core.hooksPath=/nonexistent "$@"; }

check() {
  if [ -z "$2" ]; then
    held=$((held + 1))
    echo "ok: $1"
  else
    printf 'FAIL: %s: %s\n' "$1" "$2"
  fi
}

branch_problem() {
  found=$(git rev-parse -q --verify refs/heads/feature/import) || { echo "there is no branch feature/import"; return; }
  [ "$found" = "$branch" ] || { echo "it is at $(git log -1 --format='%h %s (%cd)' "$found"), where it never ended"; return; }
  git log -p feature/import >/dev/null 2>&1 || echo "its commits can't be read"
}

stash_problem() {
  [ -f notes.md ] && [ ! -L notes.md ] || { echo "there is no notes.md"; return; }
  printf 'Ideas\n\n- release on 3 May\n- ask Kim for the logo\n' | cmp -s - notes.md ||
    { echo "notes.md holds other text: $(head -n 3 notes.md | tr '\n' '|')"; return; }
  git diff --cached --quiet || echo "something is staged"
}

rest_problem() {
  [ "$(git rev-parse refs/heads/main)" = "$main" ] || { echo "main was moved"; return; }
  [ "$(git symbolic-ref HEAD)" = refs/heads/main ] || { echo "main is not checked out"; return; }
  other=$(git for-each-ref --format='%(refname)' refs/heads refs/tags | grep -v -x -e refs/heads/main -e refs/heads/feature/import | head -n 1)
  [ -z "$other" ] || { echo "$other was not there"; return; }
  other=$(git status --porcelain | grep -v ' notes\.md$' | head -n 1)
  [ -z "$other" ] || echo "the working folder is not clean: $other"
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

cd /app/repo 2>/dev/null && git rev-parse --git-dir >/dev/null 2>&1 || { echo "FAIL: /app/repo is no git repository"; exit 1; }

check "the branch" "$(branch_problem 2>&1)"
check "the stash" "$(stash_problem 2>&1)"
# Doing nothing is worth nothing: the rest counts only when something was brought back.
if [ "$held" -gt 0 ]; then check "the rest" "$(rest_problem 2>&1)"; fi

echo "$held of 3 parts hold"
awk -v held="$held" 'BEGIN { print held / 3 }' >"$reward"
[ "$held" -eq 3 ]
