#!/bin/bash
reward=1
grep -q execve trace || reward=0
grep -q 'exited normally' debugged || reward=0
echo "$reward" >/logs/verifier/reward.txt
