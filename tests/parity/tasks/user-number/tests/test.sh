#!/bin/bash
reward=1
[ "$(cat who)" = 4321 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
