#!/bin/bash
reward=1
[ -s pid ] || reward=0
kill -0 "$(cat pid)" || reward=0
echo "$reward" >/logs/verifier/reward.txt
