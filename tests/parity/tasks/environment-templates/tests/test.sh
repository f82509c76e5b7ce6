#!/bin/bash
reward=1
[ "$(cat seen)" = 'from outside|a-${PARITY_SET}|from outside' ] || reward=0
[ "$SET" = "from outside" ] || reward=0
[ "$OTHERWISE" = "a default" ] || reward=0
[ "${EMPTY-unset}" = "" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
