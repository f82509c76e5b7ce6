#!/bin/bash
reward=1
[ "$(cat who)" = worker ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
