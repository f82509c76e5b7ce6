#!/bin/bash
reward=1
[ -e was-ready ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
