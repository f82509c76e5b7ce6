#!/bin/bash
echo 1 >first
