#!/bin/bash
cp /data/answer answer
