#!/bin/bash
reward=1
[ ! -e cmd-ran ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
