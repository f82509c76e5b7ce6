#!/bin/bash
echo '{"style": 1}' >/logs/verifier/reward.json
