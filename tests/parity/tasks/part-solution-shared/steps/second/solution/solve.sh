#!/bin/bash
touch twice
