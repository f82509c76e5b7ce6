#!/bin/bash
cp /data/ready copy
