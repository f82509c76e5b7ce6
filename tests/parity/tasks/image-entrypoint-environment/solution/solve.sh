#!/bin/bash
echo "[$FROM_ENTRYPOINT]" >seen
