#!/bin/bash
echo three >word
