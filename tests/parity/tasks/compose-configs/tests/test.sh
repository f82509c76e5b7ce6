#!/bin/bash
reward=1
[ "$(cat seen)" = level=9 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
