#!/bin/bash
echo '{"quality": 0.5, "style": 1, "reward": 0.75}' >/logs/verifier/reward.json
