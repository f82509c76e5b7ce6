#!/bin/bash
echo ran
