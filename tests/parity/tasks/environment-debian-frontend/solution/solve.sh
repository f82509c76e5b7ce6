#!/bin/bash
echo "$DEBIAN_FRONTEND" >seen
