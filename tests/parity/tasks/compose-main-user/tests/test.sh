#!/bin/bash
reward=1
[ "$(cat who)" = "worker /home/worker" ] || reward=0
[ "$(id -un) $PWD" = "worker /home/worker" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
