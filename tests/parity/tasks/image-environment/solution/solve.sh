#!/bin/bash
echo "$GREETING" >seen
