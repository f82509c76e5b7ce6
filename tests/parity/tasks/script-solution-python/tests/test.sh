#!/bin/bash
reward=1
[ "$(cat answer)" = 45 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
