#!/bin/bash
cat data prepared >joined
