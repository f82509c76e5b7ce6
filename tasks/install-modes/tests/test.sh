#!/bin/bash
# Reward: the share of cases that hold. Each case is a new source and target; contents differ from run to run.
reward=/logs/verifier/reward.txt
script=/app/install.sh
work=$(mktemp -d)
salt=$(od -An -N 6 -t x1 /dev/urandom | tr -d ' \n')
total=0
held=0
export LC_ALL=C

# begin NAME: starts a case with a source of one file a folder.
begin() {
  name=$1
  why=
  place=$work/$name
  mkdir -p "$place/src"
  put src/bin/tool "tool" 600
  put src/share/words "words" 600
  put src/etc/tool.conf "conf" 666
  put src/private/key "key" 666
}

# put PATH TEXT MODE: makes a file with the salt in it.
put() {
  mkdir -p "$(dirname "$place/$1")"
  printf '%s %s\n' "$2" "$salt" >"$place/$1"
  chmod "$3" "$place/$1"
}

# Only the first problem of a case is reported.
miss() {
  [ -n "$why" ] || why=$1
}

# run UMASK SOURCE TARGET
run() {
  (cd "$place" && umask "$1" && exec timeout 10 "$script" "$2" "$3" </dev/null >"$work/out" 2>&1)
  code=$?
  [ "$code" -eq 0 ] || miss "exit code $code: $(head -c 150 "$work/out")"
}

# file PATH TEXT MODE: a regular file with this text and mode is there.
file() {
  if [ ! -f "$place/$1" ] || [ -L "$place/$1" ]; then miss "$1 is not there or not a regular file"; return; fi
  [ "$(cat "$place/$1")" = "$2 $salt" ] || miss "$1 has the wrong contents"
  mode=$(stat -c %a "$place/$1")
  [ "$mode" = "$3" ] || miss "$1 has mode $mode, expected $3"
}

# folders TARGET: the target's folders have the right modes.
folders() {
  for pair in .:755 bin:755 share:755 etc:755 private:700; do
    mode=$(stat -c %a "$place/$1/${pair%:*}" 2>&1)
    [ "$mode" = "${pair#*:}" ] || miss "$1/${pair%:*} has mode $mode, expected ${pair#*:}"
  done
}

# holds TARGET COUNT: so many files and links are in the target, all told.
holds() {
  count=$(find "$place/$1" ! -type d | wc -l)
  [ "$count" -eq "$2" ] || miss "$1 holds $count files, expected $2"
}

usual() {
  folders "$1"
  file "$1/bin/tool" tool 755
  file "$1/share/words" words 644
  file "$1/private/key" key 600
}

end() {
  total=$((total + 1))
  if [ -z "$why" ]; then
    held=$((held + 1))
    echo "ok: $name"
  else
    printf 'FAIL: %s: %s\n' "$name" "$why"
  fi
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -f "$script" ] || [ ! -x "$script" ]; then
  echo "FAIL: $script is not there or can't be executed"
  exit 1
fi

for mask in 022 077 000 027; do
  begin "umask-$mask"
  run "$mask" src out
  usual out
  file out/etc/tool.conf conf 640
  holds out 4
  end
done

begin deep-target
run 077 "$place/src/" "$place/a/b c/out"
usual 'a/b c/out'
end

begin second-run
run 022 src out
run 077 src out
usual out
file out/etc/tool.conf conf 640
holds out 4
end

begin old-version
mkdir -p "$place/out/private" && chmod 777 "$place/out" "$place/out/private"
put out/bin/tool "old tool" 444
put out/private/key "old key" 644
put out/share/extra "extra" 600
ln "$place/out/bin/tool" "$place/tool.saved"
exec 7<"$place/out/private/key"
run 022 src out
usual out
file tool.saved "old tool" 444
[ "$(cat <&7)" = "old key $salt" ] || miss "the old private/key was written to instead of replaced"
exec 7<&-
file out/share/extra extra 600
holds out 5
end

begin kept-config
put out/etc/tool.conf "mine" 600
put src/etc/same.conf "same" 644
put out/etc/same.conf "same" 604
put src/etc/other.conf "other" 644
run 022 src out
usual out
file out/etc/tool.conf mine 600
file out/etc/tool.conf.new conf 640
file out/etc/same.conf same 604
file out/etc/other.conf other 640
holds out 7
put src/etc/tool.conf "conf 2" 644
run 077 src out
file out/etc/tool.conf mine 600
file out/etc/tool.conf.new "conf 2" 640
holds out 7
end

begin links-in-the-way
put precious precious 600
mkdir -p "$place/out/bin" "$place/out/private" "$place/out/etc" "$place/elsewhere"
ln -s ../../precious "$place/out/bin/tool"
ln -s ../../precious "$place/out/private/key"
ln -s ../../elsewhere "$place/out/etc/tool.conf.new"
put out/etc/tool.conf mine 640
run 022 src out
usual out
file precious precious 600
file out/etc/tool.conf mine 640
file out/etc/tool.conf.new conf 640
[ -z "$(ls -A "$place/elsewhere")" ] || miss "it wrote through the link etc/tool.conf.new into a folder"
end

begin odd-names
put 'src/bin/my tool' one 644
put src/share/-n two 600
put src/share/.hidden three 600
put 'src/etc/a  b.conf' four 600
put src/private/-rf five 644
run 077 src out
usual out
file 'out/bin/my tool' one 755
file out/share/-n two 644
file out/share/.hidden three 644
file 'out/etc/a  b.conf' four 640
file out/private/-rf five 600
holds out 9
end

begin missing-folders
rm -r "$place/src/share" "$place/src/etc/tool.conf"
run 022 src out
folders out
file out/bin/tool tool 755
file out/private/key key 600
holds out 2
end

# While a large private file is copied into a folder that was open before, its mode is watched.
begin never-readable
mkdir -p "$place/out/private" && chmod 755 "$place/out/private"
awk 'BEGIN { for (i = 0; i < 400000; i++) print "a private line of text " i }' >"$place/src/private/key"
cp "$place/src/private/key" "$place/key"
(cd "$place" && umask 000 && exec timeout 20 "$script" src out </dev/null >/dev/null 2>&1) &
seen=
while kill -0 $! 2>/dev/null; do
  open=$(find "$place/out/private" -type f -perm /077 -size +0c 2>/dev/null | head -n 1)
  # Looked at afterwards: in a folder that is closed by now it may have been closed to others all the time.
  [ -z "$open" ] || [ "$(stat -c %a "$place/out/private")" = 700 ] || seen=$open
done
wait $!
[ -z "$seen" ] || miss "others could read a private file while it was copied"
folders out
cmp -s "$place/key" "$place/out/private/key" || miss "private/key has the wrong contents"
end

rm -rf "$work"
echo "$held of $total cases hold"
# The script under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
awk -v held="$held" -v total="$total" 'BEGIN { print held / total }' >"$reward"
[ "$held" -eq "$total" ]
