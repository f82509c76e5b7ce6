#!/bin/bash
echo "$ONE|$BOTH|$ONLY_SOLUTION|$ONLY_TESTS" >seen
