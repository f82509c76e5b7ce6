#!/usr/bin/env bash
# The step of action.yml that runs or merges: inputs come as INPUT_* variables, lists with one entry per line.
set -euo pipefail

main="$ACTION_PATH/dist/cli/main.js"
args=()

# add_lines OPTION TEXT: OPTION (may be empty) and each line that isn't blank.
add_lines() {
  local line
  while IFS= read -r line; do
    line="${line%$'\r'}"
    [ -n "${line//[[:space:]]/}" ] || continue
    [ -z "$1" ] || args+=("$1")
    args+=("$line")
  done <<<"$2"
}

# add OPTION VALUE, unless the value is empty.
add() {
  [ -z "$2" ] || args+=("$1" "$2")
}

# add_folders TEXT: what the wildcards of each line match; spaces in names stay.
add_folders() {
  local line IFS=
  while read -r line; do
    # shellcheck disable=SC2206
    [ -z "$line" ] || args+=($line)
  done <<<"$1"
}

if [ -n "${INPUT_MERGE//[[:space:]]/}" ]; then
  args+=(merge)
  add_folders "$INPUT_MERGE"
else
  args+=(run)
  add_lines "" "$INPUT_TASKS"
  add --agent "$INPUT_AGENT"
  add_lines --env "$INPUT_ENV"
  add --attempts "$INPUT_ATTEMPTS"
  add --concurrency "$INPUT_CONCURRENCY"
  add --sandbox "$INPUT_SANDBOX"
  add --baseline "$INPUT_BASELINE"
  add --shard "$INPUT_SHARD"
  add --timings "$INPUT_TIMINGS"
fi
add --fail-under "$INPUT_FAIL_UNDER"
args+=(--out "$INPUT_OUT" --reporter junit,markdown,html)
add_lines "" "$INPUT_ARGS"

code=0
node "$main" "${args[@]}" || code=$?

if [ -f "$INPUT_OUT/summary.json" ]; then
  node -e '
    const { pass_rate } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    console.log(`pass-rate=${pass_rate.value ?? ""}\npassed=${pass_rate.passed}\nscored=${pass_rate.of}`);
  ' "$INPUT_OUT/summary.json" >>"$GITHUB_OUTPUT"
fi
echo "results=$INPUT_OUT" >>"$GITHUB_OUTPUT"
exit "$code"
