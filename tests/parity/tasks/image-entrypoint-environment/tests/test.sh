#!/bin/bash
reward=1
[ -e ran ] || reward=0
[ "$(cat seen)" = "[]" ] || reward=0
[ -z "$FROM_ENTRYPOINT" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
