#!/bin/bash
reward=1
[ "$(cat code)" = 137 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
