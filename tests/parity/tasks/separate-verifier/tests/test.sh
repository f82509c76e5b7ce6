#!/bin/bash
reward=1
[ "$(cat /app/answer.txt)" = 42 ] || reward=0
[ "$(cat /srv/tree/leaf/file)" = leaf ] || reward=0
[ "$(cat /logs/artifacts/note)" = note ] || reward=0
[ ! -e /app/hidden.txt ] || reward=0
[ "$PWD$VERIFIER" = /check1 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
