#!/bin/bash
reward=1
[ "$(cat seen)" = "hello there" ] || reward=0
[ "$GREETING" = "hello there" ] || reward=0
[ "${PATH%%:*}" = /opt/bin ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
