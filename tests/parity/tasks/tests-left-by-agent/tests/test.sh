#!/bin/bash
reward=1
[ -e /tests/planted ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
