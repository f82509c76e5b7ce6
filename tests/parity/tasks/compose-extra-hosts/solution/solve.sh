#!/bin/bash
getent hosts far.parity.test >seen
