#!/bin/bash
reward=1
[ "$(cat seen)" = "first|from the file|a b" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
