#!/bin/bash
setsid sh -c 'echo $$ >/app/pid; exec sleep 1000' >/dev/null 2>&1 </dev/null &
timeout 20 sh -c 'until [ -s /app/pid ]; do sleep 0.1; done'
