#!/usr/bin/env bash
# __NAME__: an agent for terminal tasks. It needs nothing but bash.
# stdout carries answers only; everything else goes to stderr.

write="echo 'Hello, world!' > hello.txt"
check="cat hello.txt"
max_steps=10

# solve REQUEST: decides what to do next. This is the part to improve.
# Numbers are easily read as below; for strings use jq: jq -r .instruction <<< "$1"
solve() {
  local request=$1 step exit_code
  step=$(number step "$request")
  # null on step 1.
  exit_code=$(number exit_code "$request")
  if [[ $request =~ \"output\":\ *\"Hello,\ world!\" ]]; then
    finish "hello.txt is right"
  elif ((step >= max_steps)); then
    finish "Giving up"
  elif ((step == 1)); then
    run "$write" "Write the file"
  elif ((step == 2)) && [[ $exit_code == 0 ]]; then
    run "$check" "Is it there?"
  else
    echo "[__NAME__] that did not work" >&2
    run "rm -rf hello.txt; $write && $check" "Once more"
  fi
}

# run COMMAND TEXT: asks for a command. A quote or backslash in either would have to be escaped.
run() {
  printf '{"command": "%s", "task_complete": false, "text": "%s"}\n' "$1" "$2"
}

# finish TEXT: the last answer.
finish() {
  printf '{"command": null, "task_complete": true, "text": "%s"}\n' "$1"
  exit 0
}

# number NAME REQUEST: the value of a numeric field. Quotes within JSON strings are escaped, so a
# text can't be taken for a field.
number() {
  [[ $2 =~ \"$1\":\ *(-?[0-9]+|null) ]] && echo "${BASH_REMATCH[1]}"
}

# Line by line; stdin stays open to the end. -r keeps the backslashes.
while IFS= read -r line; do
  solve "$line"
done
