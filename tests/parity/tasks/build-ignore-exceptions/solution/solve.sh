#!/bin/bash
(cd /copied && find . -type f) >out
