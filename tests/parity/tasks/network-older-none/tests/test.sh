#!/bin/bash
# The host that the image's packages come from: reachable from any machine that could build it.
host=$(sed -n 's|.*https\?://\([^/ ]*\).*|\1|p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1)
reach() { timeout 5 bash -c "exec 3<>/dev/tcp/$1/80" 2>/dev/null; }
reward=1
[ -e tried ] || reward=0
[ ! -e reached ] || reward=0
! reach "$host" || reward=0
echo "$reward" >/logs/verifier/reward.txt
