#!/bin/bash
reward=1
[ "$(curl -s http://127.0.0.1:8000/)" = served ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
