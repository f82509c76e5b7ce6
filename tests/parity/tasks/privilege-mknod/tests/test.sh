#!/bin/bash
reward=1
[ -c /app/zero ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
