#!/bin/bash
echo 42 >/data/in
