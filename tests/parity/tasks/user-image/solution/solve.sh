#!/bin/bash
id -un >who
