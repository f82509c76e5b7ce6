#!/bin/bash
(
  n=0
  while :; do
    n=$((n + 1))
    echo "$n" >beat.new && mv beat.new beat
    sleep 0.1
  done
) >/dev/null 2>&1 &
timeout 20 sh -c 'until [ -s beat ]; do sleep 0.1; done'
