#!/bin/bash
reward=1
[ "$(cat seen)" = "100000 100000" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
