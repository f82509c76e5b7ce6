#!/bin/bash
reward=1
[ "$(cat out)" = 42 ] || reward=0
[ ! -s /in ] || reward=0
[ ! -e /cache/used ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
