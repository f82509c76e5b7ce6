# The program that is kept open in every sandbox. It needs nothing but sh's builtins and /proc,
# so that images with bash, with dash only and with busybox only behave alike.
#
# Two halves joined by a pipe: the reader takes lines from the runner; the keeper runs the shell
# that evaluates commands. Once that has exited, lines are dropped up to the one that starts a fresh
# shell. What the runner sends:
#
#   L n      the next n lines go to the shell as they are
#   B n      the next n bytes go to the shell as they are (long commands: one copy, no line loop)
#   T p      a command begins now; p is the last background job before it
#   K p      the shell p drops what it does; what its command started is killed
#   X p      the same, and the shell p itself is killed
#   Q p      the shell p ends, and the driver with it; what it left in the background lives on
#
# Answers are marks in the output: NUL RS token, fields, NUL. A variable can't hold a NUL,
# so neither a dump of the variables nor a trace of the commands can look like a mark.
exec 2>&1
# From the input: arguments are for everyone to read.
IFS= read -r token
if command -v bash >/dev/null 2>&1; then shell=bash; else shell=sh; fi

read_lines() {
  IFS= read -r stat </proc/$$/stat
  set -- ${stat##*) }
  own_session=$4
  printf '\000\036%s i %s %s\000' "$token" "$$" "${20}" >&2
  # A subshell has no portable name for its own pid: it is whoever opens /proc/self.
  read -r self rest </proc/self/stat
  while IFS= read -r line; do
    case $line in
      'L '*) forward_lines "${line#L }" ;;
      'B '*) head -c "${line#B }" ;;
      'T '*) note_time "${line#T }" ;;
      'K '*)
        kill -s USR2 "${line#K }"
        sweep "${line#K }"
        ;;
      'X '*)
        kill -9 "${line#X }"
        sweep "${line#X }"
        ;;
      'Q '*)
        kill -9 "${line#Q }"
        return
        ;;
    esac 2>/dev/null
  done
  # The runner has exited: kill everything here.
  kill -9 0
}

# Sets $since to the clock that start times are measured in, ticks of 10 ms since the machine's start.
note_time() {
  newest=$1
  read -r since rest </proc/uptime
  since=${since%.*}${since#*.}
  while :; do case $since in 0?*) since=${since#0} ;; *) break ;; esac; done
}

forward_lines() {
  count=$1
  while [ "$count" -gt 0 ]; do
    IFS= read -r line || return
    printf '%s\n' "$line"
    count=$((count - 1))
  done
}

keep_shell() {
  while IFS= read -r line; do
    [ "$line" = ": $token" ] || continue
    $shell
    printf '\000\036%s x %s\000' "$token" "$?"
  done
}

# Kills what find_doomed names until nothing is left, however fast it forks.
sweep() {
  round=0
  while [ $round -lt 50 ]; do
    find_doomed "$1"
    [ "$doomed" != " " ] || return 0
    kill -9 $doomed
    round=$((round + 1))
  done
}

# Sets $doomed: the processes that began since $since below the shell $1, and those of this
# session whose parent has exited. Older background jobs and what they start are spared; one that
# began in the same tick as $since is identified by its pid.
find_doomed() {
  procs=
  for dir in /proc/[0-9]*; do
    { IFS= read -r stat <"$dir/stat"; } 2>/dev/null || continue
    # After the name: state ppid pgrp session ...; the start time is the 20th.
    set -- "$1" ${stat##*) }
    [ "$2" = Z ] || procs="$procs ${dir#/proc/}:$3:$5:${21}"
  done
  doomed=" "
  grown=1
  while [ "$grown" ]; do
    grown=
    for proc in $procs; do
      split "$proc"
      case " $$ $self $1$doomed" in *" $pid "*) continue ;; esac
      case $doomed in
        *" $parent "*) ;;
        *)
          [ "$start" -ge "$since" ] || continue
          [ "$start" -gt "$since" ] || [ "$pid" -gt "$newest" ] || continue
          [ "$parent" = "$1" ] || { [ "$session" = "$own_session" ] && is_orphan; } || continue
          ;;
      esac
      doomed="$doomed$pid "
      grown=1
    done
  done
}

# True when the parent of $pid isn't one of this session's processes.
is_orphan() {
  child=$pid
  for other in $procs; do
    case $other in
      "$parent":*)
        split "$other"
        [ "$session" != "$own_session" ] && answer=0 || answer=1
        pid=$child
        return $answer
        ;;
    esac
  done
}

split() {
  pid=${1%%:*} rest=${1#*:}
  parent=${rest%%:*} rest=${rest#*:}
  session=${rest%%:*} start=${rest#*:}
}

read_lines | keep_shell
printf '\000\036%s q\000' "$token"
