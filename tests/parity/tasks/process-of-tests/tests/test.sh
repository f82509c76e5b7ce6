#!/bin/bash
sleep 1000 &
reward=1
[ -e done ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
