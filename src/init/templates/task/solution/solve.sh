#!/bin/sh
# What the oracle runs, in the working directory: proof that the task can be done.
LC_ALL=C sort -u words.txt >sorted.txt
