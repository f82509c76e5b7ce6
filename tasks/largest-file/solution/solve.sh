#!/bin/sh
find data -type f -printf '%s %P\n' | sort -rn | head -n 1 >answer.txt
