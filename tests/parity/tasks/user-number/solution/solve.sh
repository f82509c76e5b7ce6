#!/bin/bash
id -u >who
