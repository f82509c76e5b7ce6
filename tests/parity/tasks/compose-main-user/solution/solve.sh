#!/bin/bash
echo "$(id -un) $PWD" >who
