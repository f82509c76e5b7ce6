#!/bin/bash
echo '=========================== short test summary info ============================'
if [ -e /app/done ] && [ "$WORD $PWD" = ' /app' ]; then echo 'PASSED t.py::test_shell'; else echo 'FAILED t.py::test_shell'; fi
