#!/bin/bash
reward=1
[ "$(paste -sd, joined)" = given,prepared ] || reward=0
[ -e setup.sh ] || reward=0
echo "$reward" >/logs/verifier/reward.txt
