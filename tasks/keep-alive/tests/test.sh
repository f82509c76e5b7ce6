#!/bin/bash
# Reward: the share of cases that hold. The supervised programs are made here, with texts that differ from run to run.
reward=/logs/verifier/reward.txt
script=/app/keep.sh
work=$(mktemp -d)
salt=$(od -An -N 6 -t x1 /dev/urandom | tr -d ' \n')
total=0
held=0
export LC_ALL=C

begin() {
  name=$1
  why=
  mkdir "$work/$name"
  cd "$work/$name" || exit 1
}

# Only the first problem of a case is reported.
miss() {
  [ -n "$why" ] || why=$1
}

# program NAME: makes a program from standard input. It notes each of its starts in the file starts.
program() {
  { printf '#!/bin/bash\necho "%s $$" >>starts\n' "$salt"; cat; } >"$1"
  chmod +x "$1"
}

# run ARGUMENT...: runs keep.sh to its end.
run() {
  timeout -k 1 20 "$script" "$@" </dev/null >out 2>err
  code=$?
}

# launch ARGUMENT...: starts keep.sh and goes on. The job control gives it usual signal handling.
launch() {
  set -m
  "$script" "$@" </dev/null >out 2>err &
  keeper=$!
  set +m
}

# await WHAT COMMAND...: waits up to 10 seconds until the command succeeds.
await() {
  what=$1
  shift
  for try in $(seq 100); do
    ! "$@" || return 0
    sleep 0.1
  done
  miss "waited for 10 seconds: $what"
  return 1
}

gone() { ! kill -0 "$1" 2>/dev/null; }
lines() { [ "$(cat "$1" 2>/dev/null | wc -l)" -ge "$2" ]; }

# finished SECONDS: waits for keep.sh to end and takes its exit code.
finished() {
  for try in $(seq $(($1 * 10))); do
    ! gone "$keeper" || { wait "$keeper"; code=$?; return; }
    sleep 0.1
  done
  miss "keep.sh still runs after $1 seconds"
  kill -KILL "$keeper"
  wait "$keeper" 2>/dev/null
  code=none
}

exits() { [ "$code" = "$1" ] || miss "exit code $code, expected $1"; }
starts() {
  count=$(grep -c "^$salt " starts 2>/dev/null)
  [ "${count:-0}" -eq "$1" ] || miss "the command was started ${count:-0} times, expected $1"
}
prints() { [ "$(cat out)" = "$1" ] || miss "standard output is '$(head -c 100 out)', expected '$1'"; }

# clean: none of the processes noted in starts and pids runs any more.
clean() {
  for noted in $(sed 's/.* //' starts) $(cat pids 2>/dev/null); do
    await "process $noted of the command should be gone" gone "$noted"
    gone "$noted" || kill -KILL "$noted"
  done
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

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -f "$script" ] || [ ! -x "$script" ]; then
  echo "FAIL: $script is not there or can't be executed"
  exit 1
fi

begin success
program job <<'P'
printf '<%s>' "$@"
cat
echo "to stderr" >&2
P
run ./job 'a  b' '' '*' -n '$HOME' "it's"
exits 0
starts 1
prints "<a  b><><*><-n><\$HOME><it's>"
grep -q 'to stderr' err || miss "standard error was not passed through"
end

begin gives-up
program job <<'P'
exit $((40 + $(grep -c . starts)))
P
run ./job
exits 44
starts 4
rm starts
run -n 1 ./job
exits 42
starts 2
rm starts
run -n 0 ./job
exits 41
starts 1
end

begin recovers
program job <<'P'
[ "$(grep -c . starts)" -ge 3 ] || exit 9
echo "better"
P
run -n 5 ./job
exits 0
starts 3
prints better
end

begin ended-by-a-signal
program job <<'P'
kill -SEGV $$
P
run -n 2 ./job
exits 139
starts 3
end

begin not-found
run "no-such-command-$salt"
exits 127
run
exits 2
[ -s err ] || miss "no message without a command"
run -n many true
exits 2
run -n
exits 2
end

begin leftovers
program job <<'P'
sleep 300 &
echo $! >>pids
[ "$(grep -c . starts)" -eq 1 ] || { kill -0 "$(head -n 1 pids)" 2>/dev/null && grep -q '^State:.[^Z]' "/proc/$(head -n 1 pids)/status" && echo "still there"; }
exit 3
P
run -n 1 ./job
exits 3
starts 2
prints ''
clean
end

begin term
program job <<'P'
trap 'echo "got TERM"; exit 7' TERM
trap 'echo "got INT"; exit 8' INT
echo ready >ready
while :; do sleep 0.05; done
P
launch ./job
await "the command should start" test -e ready
kill -TERM "$keeper"
finished 8
exits 7
starts 1
prints 'got TERM'
clean
rm ready starts
launch ./job
await "the command should start" test -e ready
kill -INT "$keeper"
finished 8
exits 8
starts 1
prints 'got INT'
clean
end

begin term-and-exit-0
program job <<'P'
trap 'exit 0' TERM
echo ready >ready
while :; do sleep 0.05; done
P
launch ./job
await "the command should start" test -e ready
kill -TERM "$keeper"
finished 8
exits 0
starts 1
end

begin term-by-default
program job <<'P'
echo ready >ready
exec sleep 300
P
launch ./job
await "the command should start" test -e ready
kill -TERM "$keeper"
finished 8
exits 143
starts 1
clean
end

begin deaf
program job <<'P'
trap '' TERM
sleep 300 &
echo $! >>pids
echo ready >ready
while :; do sleep 0.05; done
P
launch ./job
await "the command should start" test -e ready
kill -TERM "$keeper"
sleep 1
gone "$keeper" && miss "it did not wait 2 seconds before SIGKILL"
finished 10
exits 137
starts 1
clean
end

begin hup
program job <<'P'
trap 'exit 5' TERM
echo ready >>ready
while :; do sleep 0.05; done
P
launch -n 0 ./job
for round in 1 2 3; do
  await "start number $round should come" lines ready "$round"
  kill -HUP "$keeper"
done
await "start number 4 should come" lines ready 4
gone "$keeper" && miss "keep.sh ended after SIGHUP"
kill -TERM "$keeper"
finished 8
exits 5
starts 4
clean
end

begin hup-when-deaf
program job <<'P'
[ "$(grep -c . starts)" -gt 1 ] || trap '' TERM
echo ready >>ready
while :; do sleep 0.05; done
P
launch ./job
await "the command should start" lines ready 1
kill -HUP "$keeper"
await "the command should be started again" lines ready 2
starts 2
kill -TERM "$keeper"
finished 8
exits 143
clean
end

# The time limit belongs to one stop: it must not hit the next run of the command.
begin quick-hup-then-long-run
program job <<'P'
echo ready >>ready
while :; do sleep 0.05; done
P
launch ./job
await "the command should start" lines ready 1
kill -HUP "$keeper"
await "the command should be started again" lines ready 2
sleep 3
starts 2
kill -TERM "$keeper"
finished 8
exits 143
starts 2
clean
end

rm -rf "$work"
echo "$held of $total cases hold"
# The script under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
awk -v held="$held" -v total="$total" 'BEGIN { print held / total }' >"$reward"
[ "$held" -eq "$total" ]
