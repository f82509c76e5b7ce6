#!/bin/bash
reward=1
[ "$(cat copy)" = 42 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
