#!/bin/bash
reward=1
[ "$(cat /opt/place/where)" = /opt/place ] || reward=0
[ "$PWD" = /opt/place ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
