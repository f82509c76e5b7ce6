#!/bin/bash
cp results.json /logs/verifier/reward.json
