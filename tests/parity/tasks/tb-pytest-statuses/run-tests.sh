#!/bin/bash
echo '=========================== short test summary info ============================'
echo 'PASSED t.py::test_one'
echo 'SKIPPED [1] t.py:3: not here'
echo 'XFAIL t.py::test_two - known'
exit 1
