#!/bin/bash
cp /copied out
