#!/bin/sh
set -e
cp /solution/billing.py /app/billing.py
