#!/bin/bash
echo '{"quality": 0.5, "style": 1.0}' >/logs/verifier/reward.json
