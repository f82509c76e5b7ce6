#!/bin/bash
reward=1
[ "$(cat seen)" = "toml|compose|[]" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
