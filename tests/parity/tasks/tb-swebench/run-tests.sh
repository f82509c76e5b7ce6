#!/bin/bash
echo 'SWEBench results starts here'
if [ -e /app/done ]; then echo PASSED; else echo FAILED; fi
echo 'SWEBench results ends here'
