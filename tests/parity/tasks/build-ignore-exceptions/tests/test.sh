#!/bin/bash
reward=1
[ "$(cat out)" = ./deep/down/kept ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
