#!/bin/bash
{ hostname; grep -c ' /scratch tmpfs' /proc/mounts; df -m /dev/shm | awk 'END {print $2}'; ulimit -n; caps=$(sed -n 's/^CapEff:\s*//p' /proc/self/status); echo $((16#$caps >> 12 & 1)); } | paste -sd, >seen
