#!/bin/sh
reward=1
[ -e done ] || reward=0
[ -z "$BASH_VERSION" ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
