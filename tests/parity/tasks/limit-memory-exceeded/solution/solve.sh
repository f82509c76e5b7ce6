#!/bin/bash
python3 -c 'x = bytearray(500 * 1024 * 1024)'
echo $? >code
