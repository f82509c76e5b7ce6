#!/usr/bin/env bash
# Completes at once, but on the task $SLOW_TASK only after a command without end while $GATE is there.
read -r request
if [[ $TERM_TASK == "$SLOW_TASK" && -e $GATE ]]; then
  echo '{"command": "sleep 600"}'
  read -r request
fi
echo '{"task_complete": true}'
