# Outlives the runner briefly. It reads from a pipe that the runner holds: when that closes without
# `bye`, as after SIGKILL, everything registered with this script is killed and removed.
#
#   +mark M   -mark M     processes with M in their environment
#   +tree P   -tree P     a process and all below it
#   +run K C  -run K      a command line C to run, under the name K
#   +dir D                a folder
#   bye                   nothing is left to do
trap '' INT TERM HUP
nl='
'
marks= trees= runs= dirs=

without() {
  kept=
  for word in $1; do [ "$word" = "$2" ] || kept="$kept $word"; done
}

while read -r verb value; do
  case $verb in
    +mark) marks="$marks $value" ;;
    -mark) without "$marks" "$value"; marks=$kept ;;
    +tree) trees="$trees $value" ;;
    -tree) without "$trees" "$value"; trees=$kept ;;
    +run) runs="$runs$value$nl" ;;
    -run) runs=$(printf '%s' "$runs" | grep -v "^$value ")$nl ;;
    +dir) dirs="$dirs$value$nl" ;;
    bye) exit 0 ;;
  esac
done

# Before anything is killed: orphans can't be told apart from other processes.
find_trees() {
  grown=1
  while [ "$grown" ]; do
    grown=
    for file in /proc/[0-9]*/stat; do
      { IFS= read -r stat <"$file"; } 2>/dev/null || continue
      pid=${stat%% *}
      set -- ${stat##*) }
      case " $trees " in *" $pid "*) continue ;; esac
      case " $trees " in *" $2 "*) trees="$trees $pid" grown=1 ;; esac
    done
  done
}

kill_marked() {
  for file in /proc/[0-9]*/environ; do
    for mark in $marks; do
      grep -qs "$MARKER_VARIABLE=$mark" "$file" || continue
      pid=${file#/proc/}
      kill -9 "${pid%/environ}"
    done
  done
}

[ -z "$trees" ] || find_trees
printf '%s' "$runs" | {
  while IFS= read -r line; do [ -z "$line" ] || sh -c "${line#* }" & done
  wait
} &
{
  kill -9 $trees
  for round in 1 2 3; do kill_marked; done
} 2>/dev/null
wait
printf '%s' "$dirs" | while IFS= read -r dir; do
  for try in 1 2 3 4 5; do
    rm -rf "$dir" 2>/dev/null && break
    chmod -R u+rwx "$dir" 2>/dev/null
    sleep 0.2
  done
done
