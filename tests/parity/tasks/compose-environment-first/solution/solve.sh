#!/bin/bash
echo "$ONE|$TWO|$(cat /data/other)" >seen
