#!/bin/bash
echo "$ONE|$TWO|$QUOTED" >seen
