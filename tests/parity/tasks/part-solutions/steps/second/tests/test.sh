#!/bin/bash
reward=1
[ "$(cat second)" = 1 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
