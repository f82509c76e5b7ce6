#!/bin/bash
reward=1
[ -e /app/done ] || reward=0
[ -z "$LEAK" ] || reward=0
[ "$PWD" = /app ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
