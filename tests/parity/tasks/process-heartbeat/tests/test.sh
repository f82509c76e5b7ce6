#!/bin/bash
first=$(cat beat) || { echo 0 >/logs/verifier/reward.txt; exit; }
reward=1
timeout 20 sh -c 'until [ "$(cat beat)" != "$0" ]; do sleep 0.1; done' "$first" || reward=0
echo "$reward" >/logs/verifier/reward.txt
