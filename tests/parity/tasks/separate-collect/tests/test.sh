#!/bin/bash
reward=1
[ "$(cat /logs/artifacts/state)" = 42 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
