#!/bin/bash
echo 0.4 >/logs/verifier/reward.txt
