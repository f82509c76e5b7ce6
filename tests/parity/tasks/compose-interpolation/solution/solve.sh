#!/bin/bash
echo "$FILLED|$OTHERWISE|$DOLLAR" >seen
