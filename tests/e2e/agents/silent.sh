#!/usr/bin/env bash
# Reads the requests and never answers.
while read -r request; do :; done
