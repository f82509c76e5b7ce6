#!/bin/bash
reward=1
[ -e once ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
