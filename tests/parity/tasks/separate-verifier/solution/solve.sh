#!/bin/bash
mkdir -p /srv/tree/leaf
echo leaf >/srv/tree/leaf/file
echo 42 >answer.txt
echo hidden >hidden.txt
echo note >/logs/artifacts/note
