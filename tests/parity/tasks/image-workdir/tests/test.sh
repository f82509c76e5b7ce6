#!/bin/bash
reward=1
[ "$(cat /srv/work/where)" = /srv/work ] || reward=0
[ "$PWD" = /srv/work ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
