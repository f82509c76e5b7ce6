#!/bin/bash
reward=1
[ "$(cat seen)" = noninteractive ] || reward=0
[ -z "$DEBIAN_FRONTEND" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
