#!/bin/bash
reward=1
[ -e "$(cat /tests/wanted)" ] || reward=0
[ -e /tests/shared ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
