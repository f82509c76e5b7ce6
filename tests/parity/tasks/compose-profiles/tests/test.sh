#!/bin/bash
reward=1
[ -s always ] || reward=0
[ ! -s extra ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
