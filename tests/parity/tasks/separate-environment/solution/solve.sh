#!/bin/bash
echo "$PLACE" >answer.txt
