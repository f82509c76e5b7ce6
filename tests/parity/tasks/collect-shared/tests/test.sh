#!/bin/bash
reward=1
[ "$(cat /srv/collected)" = 42 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
