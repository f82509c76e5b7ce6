#!/bin/bash
reward=1
[ -e done ] || reward=0
[ ! -s read ] || reward=0
[ -z "$(cat)" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
