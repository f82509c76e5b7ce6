#!/bin/bash
reward=1
grep -q '^search parity.test' seen || reward=0
grep -q 'ndots:7' seen || reward=0
echo "$reward" >/logs/verifier/reward.txt
