#!/bin/bash
echo '=========================== short test summary info ============================'
