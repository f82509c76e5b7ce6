#!/bin/sh
set -e
cat >keep.sh <<'SCRIPT'
#!/bin/bash
# Keeps a command running: keep.sh [-n RESTARTS] COMMAND [ARGUMENT]...
usage() {
  echo "usage: keep.sh [-n RESTARTS] COMMAND [ARGUMENT]..." >&2
  exit 2
}

left=3
if [ "$1" = -n ]; then
  [ $# -ge 2 ] || usage
  left=$2
  shift 2
  [[ $left =~ ^[0-9]+$ ]] || usage
fi
[ $# -gt 0 ] || usage
if ! type -P -- "$1" >/dev/null; then
  echo "keep.sh: $1: not found" >&2
  exit 127
fi

# Job control gives each background job a process group of its own.
set -m
pid=
killer=
stopping=
again=

# finish SIGNAL: asks the command to end, and sees to it 2 seconds later.
finish() {
  [ -n "$pid" ] || return
  kill -"$1" "$pid" 2>/dev/null
  [ -n "$killer" ] || {
    (sleep 2; kill -KILL -- "-$pid") </dev/null >/dev/null 2>&1 &
    killer=$!
  }
}
trap 'stopping=TERM; finish TERM' TERM
trap 'stopping=INT; finish INT' INT
trap 'again=yes; finish TERM' HUP

while [ -z "$stopping" ]; do
  again=
  (exec -- "$@") </dev/null &
  pid=$!
  # A signal that came before there was a pid.
  [ -z "$stopping" ] || finish "$stopping"
  # A signal interrupts wait; once the command has ended, its code is kept for the next one.
  while :; do
    wait "$pid"
    code=$?
    kill -0 "$pid" 2>/dev/null || break
  done
  wait "$pid" 2>/dev/null
  code=$?
  group=$pid
  pid=
  kill -KILL -- "-$group" 2>/dev/null
  if [ -n "$killer" ]; then
    kill -KILL -- "-$killer" 2>/dev/null
    wait "$killer" 2>/dev/null
    killer=
  fi
  [ -z "$stopping" ] || break
  [ -z "$again" ] || continue
  [ "$code" -ne 0 ] && [ "$left" -gt 0 ] || break
  left=$((left - 1))
done
exit "${code:-143}"
SCRIPT
chmod +x keep.sh
