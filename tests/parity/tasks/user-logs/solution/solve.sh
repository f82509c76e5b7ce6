#!/bin/bash
for folder in agent artifacts verifier; do echo "$folder" >/logs/$folder/note; done
ls -d /logs/* >/app/folders
