#!/bin/bash
printf ' 0.25\n\n' >/logs/verifier/reward.txt
