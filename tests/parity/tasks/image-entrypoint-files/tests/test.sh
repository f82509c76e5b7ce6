#!/bin/bash
reward=1
[ -s copy ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
