#!/bin/sh
echo "started"
