#!/bin/sh
set -e
cd /app/repo
export FILTER_BRANCH_SQUELCH_WARNING=1

git filter-branch -f \
  --tree-filter "grep -rlaZ tk_live_9f2c71d0aa53 . | xargs -0 -r sed -i 's/tk_live_9f2c71d0aa53/REDACTED/g'" \
  --msg-filter "sed 's/tk_live_9f2c71d0aa53/REDACTED/g'" \
  -- --branches --tags

# The filter leaves tag objects as they are: make the annotated one again, for the new commit and with a clean message.
old=$(git cat-file -p refs/tags/v1.0 | sed -n '1s/^object //p')
new=$(git rev-list --all --not --glob=refs/original --format='%H %s' | sed -n 's/^\([0-9a-f]*\) Explain how to try it$/\1/p')
tag=$(git cat-file -p refs/tags/v1.0 | sed "1s/$old/$new/; s/tk_live_9f2c71d0aa53/REDACTED/g" | git mktag)
git update-ref refs/tags/v1.0 "$tag"

git for-each-ref --format='%(refname)' refs/original | while read -r ref; do git update-ref -d "$ref"; done
git reset -q --hard
rm -f .git/ORIG_HEAD .git/FETCH_HEAD
git reflog expire --expire=now --expire-unreachable=now --all
git gc -q --prune=now
