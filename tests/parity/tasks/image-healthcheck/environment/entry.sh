#!/bin/bash
(sleep 2; touch /app/ready) &
exec "$@"
