#!/usr/bin/env bash
# Asks for the command in $ASKS, and has descendants: one in its group, one in a session of its own.
sleep 600 &
setsid sleep 600 < /dev/null > /dev/null 2>&1 &
read -r request
printf '{"command": "%s"}\n' "$ASKS"
read -r request
