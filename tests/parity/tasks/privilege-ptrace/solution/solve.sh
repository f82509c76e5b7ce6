#!/bin/bash
strace -o trace true
gdb -batch -ex run -ex 'info program' --args /bin/true >debugged 2>&1
