#!/bin/bash
reward=1
[ "$(paste -sd, out)" = 203.0.113.9,lo ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
