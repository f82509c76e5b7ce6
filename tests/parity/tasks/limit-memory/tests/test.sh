#!/bin/bash
reward=1
[ "$(cat seen)" = $((192 * 1024 * 1024)) ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
