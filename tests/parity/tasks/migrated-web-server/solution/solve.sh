#!/bin/bash
mkdir -p /app/www && echo 'hello from the server' >/app/www/index.html
cd /app/www
nohup python3 -m http.server 8080 >/dev/null 2>&1 &
timeout 20 bash -c 'until curl -sf http://127.0.0.1:8080/ >/dev/null; do sleep 0.1; done'
