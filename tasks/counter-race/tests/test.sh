#!/bin/bash
# Reward: the share of cases that hold. The start value differs from run to run.
reward=/logs/verifier/reward.txt
script=/app/next.sh
work=$(mktemp -d)
start=$(($(od -An -N 2 -t u2 /dev/urandom) + 10))
total=0
held=0
export LC_ALL=C

begin() {
  name=$1
  why=
  place=$work/$name/data
  mkdir -p "$place" "$work/$name/out"
  cd "$place" || exit 1
}

# Only the first problem of a case is reported.
miss() {
  [ -n "$why" ] || why=$1
}

end() {
  cd /
  total=$((total + 1))
  if [ -z "$why" ]; then
    held=$((held + 1))
    echo "ok: $name"
  else
    printf 'FAIL: %s: %s\n' "$name" "$why"
  fi
}

# call LABEL FILE: one caller in the background; its output goes to a file of its own.
call() {
  timeout 30 "$script" "$2" </dev/null >"../out/$1" 2>/dev/null &
}

# handed FIRST LAST: exactly these numbers were printed, each once.
handed() {
  seq "$1" "$2" >../want
  cat ../out/* | sort -n >../have
  cmp -s ../want ../have || miss "$(diff ../want ../have | sed -n 's/^</not handed out:/p; s/^>/handed out twice or wrong:/p' | head -n 1)"
}

# holds NUMBER FILE: the file holds this number, and nothing else is in the folder.
holds() {
  [ "$(cat "./$2" 2>&1)" = "$1" ] || miss "$2 holds '$(head -c 80 "./$2" 2>&1)', expected $1"
  [ "$(ls -A)" = "$2" ] || miss "left in the folder: $(ls -A | grep -vxF -e "$2" | head -n 1)"
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -f "$script" ] || [ ! -x "$script" ]; then
  echo "FAIL: $script is not there or can't be executed"
  exit 1
fi

begin one-by-one
for want in 1 2 3; do
  found=$(timeout 10 "$script" count </dev/null 2>&1)
  [ "$found" = "$want" ] || miss "call $want printed '$found'"
done
holds 3 count
echo "$start" >count
found=$(timeout 10 "$script" "$place/count" </dev/null 2>&1)
[ "$found" = $((start + 1)) ] || miss "after $start it printed '$found'"
holds $((start + 1)) count
end

begin forty-at-once
echo "$start" >count
for i in $(seq 40); do call "$i" count; done
wait
handed $((start + 1)) $((start + 40))
holds $((start + 40)) count
end

begin from-nothing
for i in $(seq 20); do call "$i" "$place/count"; done
wait
handed 1 20
holds 20 count
end

# Readers look all the time; a number that is being written must not be seen in part.
begin always-complete
echo 999999 >count
(while [ ! -e ../stop ]; do
  text=$(od -An -c count 2>&1 | tr -d ' \n')
  [[ $text =~ ^1?[0-9]{6}\\n$ ]] || { echo "$text" >../partial; break; }
done) &
reader=$!
for round in 1 2 3; do
  callers=
  for i in $(seq 10); do call "$round.$i" count; callers="$callers $!"; done
  wait $callers
done
: >../stop
wait "$reader"
[ ! -e ../partial ] || miss "a reader found '$(head -c 80 ../partial)' in the file"
handed 1000000 1000029
holds 1000029 count
end

begin interrupted
echo "$start" >count
callers=
for i in $(seq 24); do
  "$script" count </dev/null >"../out/$i" 2>/dev/null &
  callers="$callers $!"
done
# Every other one gets a signal, while they wait or work.
n=0
for caller in $callers; do
  n=$((n + 1))
  case $((n % 4)) in
    0) kill -TERM "$caller" 2>/dev/null ;;
    2) kill -TERM "$caller" 2>/dev/null; sleep 0.01 ;;
  esac
done
for try in $(seq 100); do
  left=0
  for caller in $callers; do ! kill -0 "$caller" 2>/dev/null || left=$((left + 1)); done
  [ "$left" -gt 0 ] || break
  sleep 0.2
done
[ "$left" -eq 0 ] || miss "after 20 seconds $left callers still run"
for caller in $callers; do kill -KILL "$caller" 2>/dev/null; done
wait
twice=$(cat ../out/* | sort | uniq -d | head -n 1)
[ -z "$twice" ] || miss "$twice was handed out twice"
highest=$(cat ../out/* | sort -n | tail -n 1)
found=$(timeout 10 "$script" count </dev/null 2>&1)
code=$?
[ "$code" -eq 0 ] || miss "the next call ended with exit code $code"
[ "$found" -gt "${highest:-0}" ] 2>/dev/null && [ "$found" -le $((start + 25)) ] 2>/dev/null || miss "the next call printed '$found' after $highest"
holds "$found" count
end

begin odd-names
for file in 'a b' -n 'a*'; do
  rm -rf ../out/*
  for i in 1 2 3 4 5; do call "$i" "$file"; done
  wait
  handed 1 5
  holds 5 "$file"
  rm -f "./$file"
done
end

begin no-number
for text in 'seven' '' '1 2' '3x'; do
  printf '%s\n' "$text" >count
  timeout 10 "$script" count </dev/null >../stdout 2>../stderr
  code=$?
  [ "$code" -eq 1 ] || miss "exit code $code for a file with '$text', expected 1"
  [ ! -s ../stdout ] || miss "it printed something for a file with '$text'"
  [ -s ../stderr ] || miss "nothing on standard error for a file with '$text'"
  holds "$text" count
done
timeout 10 "$script" missing/count </dev/null >../stdout 2>../stderr
code=$?
[ "$code" -eq 1 ] && [ ! -s ../stdout ] && [ -s ../stderr ] || miss "exit code $code for a folder that does not exist, or no message"
end

rm -rf "$work"
echo "$held of $total cases hold"
# The script under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
awk -v held="$held" -v total="$total" 'BEGIN { print held / total }' >"$reward"
[ "$held" -eq "$total" ]
