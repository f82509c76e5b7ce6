#!/bin/bash
cp created copy
