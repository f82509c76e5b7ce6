#!/bin/bash
python3 -m pytest -rA -p no:cacheprovider "$TEST_DIR/test_outputs.py"
