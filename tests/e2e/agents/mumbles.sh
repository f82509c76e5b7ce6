#!/usr/bin/env bash
# Answers with text that is not quite JSON.
while read -r request; do echo '{"command": ls, "task_complete": false}'; done
