#!/bin/bash
echo 1e-3 >/logs/verifier/reward.txt
