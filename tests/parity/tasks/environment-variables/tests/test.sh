#!/bin/bash
reward=1
[ "$(cat seen)" = "solution|b c|s|" ] || reward=0
[ "$ONE|$BOTH|$ONLY_SOLUTION|$ONLY_TESTS" = "verifier|b c||t" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
