#!/bin/bash
export FROM_ENTRYPOINT=1
touch /app/ran
exec "$@"
