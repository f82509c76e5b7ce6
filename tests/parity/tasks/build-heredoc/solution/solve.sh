#!/bin/bash
paste -sd, /words /greeting >out
