#!/bin/bash
echo '{"reward": true, "style": false}' >/logs/verifier/reward.json
