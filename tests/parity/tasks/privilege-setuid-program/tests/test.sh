#!/bin/bash
reward=1
[ "$(cat who)" = 0 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
