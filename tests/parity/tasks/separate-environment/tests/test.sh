#!/bin/bash
reward=1
[ "$(cat /app/answer.txt)" = agent ] || reward=0
[ "$PLACE" = verifier ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
