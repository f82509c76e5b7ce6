#!/bin/sh
# Hands out numbers: next.sh FILE
[ -e $1 ] || echo 0 >$1
number=$(cat $1)
number=$((number + 1))
echo $number >$1
echo $number
