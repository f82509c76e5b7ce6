#!/bin/bash
echo '=========================== short test summary info ============================'
echo 'PASSED t.py::test_one'
echo 'ERROR t.py::test_two - no fixture'
exit 0
