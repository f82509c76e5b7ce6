#!/bin/bash
touch once
