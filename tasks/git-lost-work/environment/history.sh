#!/bin/sh
# Makes the repository. Names and times are fixed, so that every build has the same commits.
set -e
export GIT_AUTHOR_NAME=Robin GIT_AUTHOR_EMAIL=robin@example.com GIT_COMMITTER_NAME=Robin GIT_COMMITTER_EMAIL=robin@example.com
clock=1700000000

tick() {
  clock=$((clock + 3600))
  export GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000"
}

# save MESSAGE: commits everything.
save() {
  tick
  git add -A
  git commit -q -m "$1"
}

git init -q -b main "$1"
cd "$1"
git config user.name Robin
git config user.email robin@example.com
printf '# Import tool\n' >README.md
printf 'Ideas\n' >notes.md
save 'Begin'

git checkout -q -b feature/import
printf 'def read(path):\n    return open(path).read()\n' >reader.py
save 'import: read files'
printf 'def rows(text):\n    return [line.split(",") for line in text.splitlines()]\n' >rows.py
save 'import: split rows'
printf 'def fields(line):\n    raise NotImplementedError\n' >fields.py
save 'import: handle quoted fields'
# Amended twice: three commits with one subject, and only the last is the branch.
printf 'def fields(line):\n    return line.split(",")\n' >fields.py
git add -A && tick && git commit -q --amend -m 'import: handle quoted fields'
printf 'import csv\n\n\ndef fields(line):\n    return next(csv.reader([line]))\n' >fields.py
git add -A && tick && git commit -q --amend -m 'import: handle quoted fields'

git checkout -q main
printf '# Import tool\n\nReads CSV files.\n' >README.md
save 'Say what it does'

# Another branch that is gone, and should be.
git checkout -q -b experiment
printf 'print("try")\n' >try.py
save 'Try something'
git checkout -q main

printf 'Ideas\n\n- a wizard\n' >notes.md
tick && git stash -q && git stash drop -q
printf 'Ideas\n\n- release on 3 May\n- ask Kim for the logo\n' >notes.md
tick && git stash -q && git stash drop -q
printf '# Import tool?\n' >README.md
tick && git stash -q && git stash drop -q

git branch -q -D feature/import experiment
git reflog expire --expire=now --expire-unreachable=now --all
rm -f .git/ORIG_HEAD .git/COMMIT_EDITMSG
git config gc.auto 0
