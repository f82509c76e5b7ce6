#!/bin/bash
reward=1
[ -e looked ] || reward=0
[ ! -s seen ] || reward=0
[ ! -e /tests/secret ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
