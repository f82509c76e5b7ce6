#!/bin/bash
reward=1
[ -s seen ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
