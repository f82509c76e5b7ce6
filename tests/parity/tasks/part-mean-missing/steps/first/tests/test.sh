#!/bin/bash
echo '{"reward": 1, "style": 1}' >/logs/verifier/reward.json
