#!/bin/bash
reward=1
cmp answer /tests/data/expected.txt || reward=0
echo "$reward" >/logs/verifier/reward.txt
