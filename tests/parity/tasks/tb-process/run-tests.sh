#!/bin/bash
echo '=========================== short test summary info ============================'
if [ -s /app/pid ] && kill -0 "$(cat /app/pid)"; then echo 'PASSED t.py::test_process'; else echo 'FAILED t.py::test_process'; fi
