#!/bin/bash
reward=1
[ "$(paste -sd, out)" = one,two,hello ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
