#!/bin/bash
timeout 20 sh -c 'until [ -s started ]; do sleep 0.1; done'
cp started copy
