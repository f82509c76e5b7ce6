#!/bin/bash
id-of-root -u >who
