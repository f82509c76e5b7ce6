#!/bin/bash
reward=1
[ "$(cat copy)" = started ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
