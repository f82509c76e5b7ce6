#!/usr/bin/env bash
# Asks for the command in $ASKS, and does not go when told to.
trap '' INT TERM
read -r request
printf '{"command": "%s"}\n' "$ASKS"
while :; do sleep 1; done
