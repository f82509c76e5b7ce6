#!/usr/bin/env bash
# bash test.sh: gives the agent requests and compares its answers.
set -u
cd "$(dirname "$0")" || exit
failures=0

# request STEP LAST_COMMAND OUTPUT EXIT_CODE, the last three as JSON.
request() {
  printf '{"instruction":"Say hello","step":%s,"last_command":%s,"output":%s,"exit_code":%s,"cwd":"/app"}\n' "$@"
}

# expect NAME PATTERN: stdin goes to the agent, its last answer must match.
expect() {
  local answer
  answer=$(bash agent.sh 2>/dev/null | tail -n 1)
  if [[ $answer == $2 ]]; then
    echo "ok: $1"
  else
    echo "FAILED: $1: $answer"
    failures=$((failures + 1))
  fi
}

request 1 null null null | expect "starts with a command" '*"command": "echo*'
request 2 '"echo"' '""' 0 | expect "checks what it wrote" '*"command": "cat hello.txt"*'
request 2 '"echo"' '"Is a directory"' 1 | expect "tries again after a failure" '*"command": "rm -rf*'
request 3 '"cat"' '"Hello, world!"' 0 | expect "is done when the file is right" '*"task_complete": true*'
{
  request 1 null null null
  request 2 '"echo"' '""' 0
  request 3 '"cat"' '"Hello, world!"' 0
} | expect "a whole conversation" '*"task_complete": true*'

exit "$((failures > 0))"
