#!/bin/bash
cp input.txt output.txt
