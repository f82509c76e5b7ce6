#!/bin/bash
reward=1
[ "$(cat seen)" = 'someone-x|otherwise|$HOME' ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
