#!/bin/bash
echo '=========================== short test summary info ============================'
if [ "$WORD $PWD" = '42 /opt' ]; then echo 'PASSED t.py::test_shell'; else echo 'FAILED t.py::test_shell'; fi
