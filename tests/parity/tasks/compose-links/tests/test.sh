#!/bin/bash
reward=1
[ "$(cat seen)" = 1 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
