#!/bin/bash
try() {
  if "${@:2}" >/dev/null 2>&1; then echo "\"$1\": 1"; else echo "\"$1\": 0"; fi
}
mkdir /mnt/here
{
  try mount mount -t tmpfs none /mnt/here
  try nice python3 -c 'import os; os.nice(-5)'
  try clock date -s "$(date)"
  try chroot chroot / true
} | paste -sd, | sed 's/.*/{&}/' >results.json
