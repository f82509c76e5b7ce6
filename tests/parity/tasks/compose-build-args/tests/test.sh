#!/bin/bash
reward=1
[ "$(cat word)" = given ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
