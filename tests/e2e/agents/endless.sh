#!/usr/bin/env bash
# Always one more command.
while read -r request; do echo '{"command": "true"}'; done
