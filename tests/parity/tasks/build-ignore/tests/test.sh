#!/bin/bash
reward=1
grep -q kept.tmp out || reward=0
grep -q c.txt out || reward=0
! grep -q a.tmp out || reward=0
! grep -q folder out || reward=0
echo "$reward" >/logs/verifier/reward.txt
