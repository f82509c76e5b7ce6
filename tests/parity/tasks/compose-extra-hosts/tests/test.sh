#!/bin/bash
reward=1
grep -q '^192.0.2.7 ' seen || reward=0
echo "$reward" >/logs/verifier/reward.txt
