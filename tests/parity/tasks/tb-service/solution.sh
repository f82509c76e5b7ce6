#!/bin/bash
timeout 30 bash -c 'until curl -sf http://db:8000/ >/app/copy; do sleep 0.1; done'
