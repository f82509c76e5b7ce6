#!/bin/bash
tool >out
