#!/bin/bash
echo '=========================== short test summary info ============================'
if [ "$TEST_DIR $(cat "$TEST_DIR/data/word")" = '/tests 42' ] && [ -e /tests/run-tests.sh ]; then echo 'PASSED t.py::test_dir'; else echo 'FAILED t.py::test_dir'; fi
