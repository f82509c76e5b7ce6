#!/bin/bash
reward=1
[ "$(cat user)" = 65534 ] || reward=0
[ -s dropped ] || reward=0
[ "$(cat dropped)" != "$(grep CapBnd /proc/self/status)" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
