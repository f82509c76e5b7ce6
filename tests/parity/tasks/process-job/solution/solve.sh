#!/bin/bash
sleep 1000 &
echo $! >pid
