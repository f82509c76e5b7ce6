#!/bin/bash
reward=1
echo "$reward" >/logs/verifier/reward.txt
