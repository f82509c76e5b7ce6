#!/bin/bash
echo 45 >answer
