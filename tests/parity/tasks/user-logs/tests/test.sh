#!/bin/bash
reward=1
[ "$(cat /logs/agent/note /logs/artifacts/note | paste -sd,)" = agent,artifacts ] || reward=0
grep -q /logs/verifier folders || reward=0
echo "$reward" >/logs/verifier/reward.txt
