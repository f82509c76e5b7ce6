#!/bin/bash
first=$(cat beat)
reward=1
[ -n "$first" ] || reward=0
timeout 20 sh -c 'until [ "$(cat beat)" != "$0" ]; do sleep 0.1; done' "$first" || reward=0
echo "$reward" >/logs/verifier/reward.txt
