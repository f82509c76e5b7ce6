#!/bin/bash
curl -s http://db:8000/ >copy
