#!/bin/bash
cp /word word
