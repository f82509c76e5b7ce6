#!/usr/bin/env bash
# Valid answers that ask for nothing.
while read -r request; do echo '{"text": "hmm"}'; done
