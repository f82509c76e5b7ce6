#!/bin/bash
reward=1
[ "$(cat word)" = three ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
