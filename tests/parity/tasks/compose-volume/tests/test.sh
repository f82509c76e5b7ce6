#!/bin/bash
[ -e /data/in ] || { echo 0 >/logs/verifier/reward.txt; exit; }
reward=1
[ -e /data/in ] || reward=0
timeout 20 sh -c 'until [ -s /data/out ]; do sleep 0.1; done' || reward=0
echo "$reward" >/logs/verifier/reward.txt
