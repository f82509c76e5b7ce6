#!/bin/bash
nohup sleep 1000 >/dev/null 2>&1 &
echo $! >/app/pid
