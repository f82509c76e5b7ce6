#!/bin/bash
reward=1
[ "$(cat seen)" = parity-box,1,96,777,1 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
