#!/bin/bash
date >/app/created
exec "$@"
