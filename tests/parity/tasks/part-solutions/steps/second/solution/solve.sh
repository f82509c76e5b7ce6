#!/bin/bash
cat first >second
