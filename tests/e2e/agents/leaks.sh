#!/usr/bin/env bash
# Prints everything that it sees in its environment.
read -r request
env >&2
echo "E2E_API_KEY is $E2E_API_KEY"
printf '{"command": "echo %s | tee leak.txt", "text": "%s"}\n' "$E2E_API_KEY" "$E2E_API_KEY"
read -r request
echo '{"task_complete": true}'
