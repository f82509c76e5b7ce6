/**
 * The first process of a sandbox with processes of its own. It holds the sandbox open for as long
 * as the runner holds its stdin: when the runner ends, even by SIGKILL, so does the sandbox.
 *
 * It is process 1 itself: nothing inside can kill that, so `kill -9 -1` in a command ends the
 * agent's processes and not the machine. Waiting for its own subshell, it reaps orphans as well.
 * The line `keep` lets the sandbox outlive the runner.
 */
export const GUARD = `
while :; do
  (
    while IFS= read -r line; do
      while [ "$line" = keep ]; do sleep 3600; done
    done
    exit 42
  )
  [ $? -ne 42 ] || exit 0
done`;
