#!/bin/bash
echo '=========================== short test summary info ============================'
if [ "$(cat /app/who) $(id -un)" = 'worker root' ]; then echo 'PASSED t.py::test_user'; else echo 'FAILED t.py::test_user'; fi
