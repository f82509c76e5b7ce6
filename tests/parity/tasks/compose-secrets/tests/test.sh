#!/bin/bash
reward=1
[ "$(cat seen)" = s3cr3t ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
