#!/usr/bin/env bash
read -r request
echo "the model is on holiday" >&2
exit 7
