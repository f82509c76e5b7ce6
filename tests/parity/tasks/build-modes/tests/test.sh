#!/bin/bash
reward=1
[ "$(cat out)" = ran ] || reward=0
[ -L /context/link ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
