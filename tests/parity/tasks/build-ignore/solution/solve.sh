#!/bin/bash
find . -type f | sort | paste -sd, >/tmp/out; cp /tmp/out out
