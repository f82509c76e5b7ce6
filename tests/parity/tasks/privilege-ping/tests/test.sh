#!/bin/bash
reward=1
[ -e pinged ] || reward=0
[ -e raw ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
