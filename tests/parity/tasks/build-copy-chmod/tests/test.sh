#!/bin/bash
reward=1
[ "$(cat out)" = tool ] || reward=0
[ "$(stat -c %a:%u /usr/local/bin/tool)" = 751:1234 ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
