#!/bin/bash
getent hosts store >seen
