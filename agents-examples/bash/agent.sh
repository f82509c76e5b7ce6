#!/usr/bin/env bash
# An agent in plain bash, without jq: it solves tasks/hello-world.
# Standard output carries answers only; everything else goes to standard error.

write="echo 'Hello, world!' > hello.txt"
check="cat hello.txt"

# run COMMAND TEXT: asks for a command. A quote or backslash in either would have to be escaped.
run() {
  printf '{"command": "%s", "task_complete": false, "text": "%s"}\n' "$1" "$2"
}

# finish TEXT: the last answer.
finish() {
  printf '{"command": null, "task_complete": true, "text": "%s"}\n' "$1"
  exit 0
}

# number NAME: the value of a numeric field. Quotes within a JSON string are escaped,
# so the text of a task or of an output can't be taken for a field.
number() {
  [[ $request =~ \"$1\":\ *(-?[0-9]+|null) ]] && echo "${BASH_REMATCH[1]}"
}

# Line by line: reading until the end of stdin would wait forever. -r keeps the backslashes.
while IFS= read -r request; do
  step=$(number step)
  exit_code=$(number exit_code)
  echo "step $step, exit code of the last command: $exit_code" >&2

  if [[ $request =~ \"output\":\ *\"Hello,\ world!\" ]]; then
    finish "hello.txt is right"
  elif ((step > 6)); then
    finish "Giving up: hello.txt can't be written"
  elif ((step == 2)) && [[ $exit_code == 0 ]]; then
    run "$check" "Is it there?"
  elif ((step == 1)); then
    run "$write" "Write the file"
  else
    # The last command failed, or the file is wrong: remove what is there, then write and check in one go.
    run "rm -rf hello.txt; $write && $check" "That did not work; once more"
  fi
done
