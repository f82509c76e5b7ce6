#!/bin/bash
mkdir -p /srv/www && echo served >/srv/www/index.html
python3 -m http.server 8000 --directory /srv/www >/dev/null 2>&1 &
timeout 20 bash -c 'until curl -sf http://127.0.0.1:8000/ >/dev/null; do sleep 0.1; done'
exec "$@"
