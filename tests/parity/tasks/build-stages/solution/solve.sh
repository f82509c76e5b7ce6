#!/bin/bash
cp made out
