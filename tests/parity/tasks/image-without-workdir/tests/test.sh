#!/bin/bash
reward=1
[ "$(cat /tmp/where)" = / ] || reward=0
[ "$PWD" = / ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
