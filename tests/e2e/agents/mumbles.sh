#!/usr/bin/env bash
# Answers with what is not quite JSON.
while read -r request; do echo '{"command": ls, "task_complete": false}'; done
