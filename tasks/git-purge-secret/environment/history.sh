#!/bin/sh
# Makes the repository: history.sh FOLDER KEY. Names and times are fixed, so that every build has the same commits.
set -e
folder=$1
key=$2
clock=1710000000

# as NAME: who commits, and that an hour has passed.
as() {
  clock=$((clock + 3600))
  export GIT_AUTHOR_NAME="$1" GIT_AUTHOR_EMAIL="$1@example.com" GIT_AUTHOR_DATE="$clock +0200"
  export GIT_COMMITTER_NAME=Robin GIT_COMMITTER_EMAIL=robin@example.com GIT_COMMITTER_DATE="$((clock + 60)) +0000"
}

save() {
  as "$1"
  git add -A
  git commit -q -m "$2"
}

git init -q -b main "$folder"
cd "$folder"
git config user.name Robin
git config user.email robin@example.com
git config gc.auto 0

printf '# Mailer\n' >README.md
save robin 'Begin'
mkdir config bin
printf 'HOST=mail.example.com\nKEY=%s\nPORT=25\n' "$key" >config/prod.env
printf '#!/bin/sh\n. config/prod.env\necho "sending with $KEY"\n' >bin/send
chmod +x bin/send
save kim 'Add the configuration'
printf '# Mailer\n\nTry it: curl -H "Key: %s" mail.example.com, or with %s-test.\n' "$key" "$key" >README.md
save robin 'Explain how to try it'
as robin && git tag -a v1.0 -m "Version 1.0

Works with $key."

git checkout -q -b develop
printf 'HOST=mail.example.com\nKEY=%s\nPORT=587\n' "$key" >config/prod.env
save kim 'Use the other port'
printf 'blob\0%s\0end\n' "$key" >cache.bin
save kim "Keep a cache

It was made with $key, see config/prod.env."
git checkout -q main
printf 'HOST=mail.example.com\nPORT=25\n' >config/prod.env
save robin 'Take the key out of the configuration'
git tag v1.1
printf 'notes\n' >NOTES
save robin 'Notes'
as robin && git merge -q --no-ff -m 'Merge develop' -X theirs develop
printf 'HOST=mail.example.com\nPORT=587\n' >config/prod.env
printf '# Mailer\n' >README.md
git rm -q cache.bin
save robin 'Really take the key out'
as kim && git commit -q --allow-empty -m 'Trigger a build'

git checkout -q -b old/attempt v1.0
mkdir 'my notes'
printf 'key: %s\n' "$key" >"my notes/key file.txt"
save kim 'Notes of my own'
git checkout -q main
