/** How often what forks faster than it is killed is looked for again. */
const ROUNDS = 50;

/** A line of shell that kills every process except these, the first one and itself. */
export function endOthers(keep: readonly number[]): string {
  return `round=0
while [ $round -lt ${ROUNDS} ]; do
  found=
  for dir in /proc/[0-9]*; do
    case " 1 $$ ${keep.join(" ")} " in *" \${dir#/proc/} "*) continue ;; esac
    { IFS= read -r stat <"$dir/stat"; } 2>/dev/null || continue
    case \${stat##*) } in Z*) continue ;; esac
    kill -9 "\${dir#/proc/}" 2>/dev/null && found=1
  done
  [ "$found" ] || exit 0
  round=$((round + 1))
done`;
}
