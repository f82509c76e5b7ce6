#!/bin/bash
touch done
exit 3
