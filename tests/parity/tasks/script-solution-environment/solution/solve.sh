#!/bin/bash
export LEAK=1
cd /tmp
touch /app/done
