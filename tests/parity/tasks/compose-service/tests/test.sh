#!/bin/bash
reward=1
[ "$(cat copy)" = stored ] || reward=0
[ "$(curl -s http://db:8000/)" = stored ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
