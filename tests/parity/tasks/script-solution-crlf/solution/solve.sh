#!/bin/bash
touch done
