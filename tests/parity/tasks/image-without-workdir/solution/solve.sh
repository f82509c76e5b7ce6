#!/bin/bash
pwd >/tmp/where
