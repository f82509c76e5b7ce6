#!/bin/sh
set -e
# main.c: room for the end of a line, the empty rest of a line, two blocks that were never released.
# table.c: negative hashes, a table that was not cleared, one byte too few in set and keys, an unset value in append, a
# remembered node that is gone, the next node of a released one, buckets that still point to what was cleared.
cp /solution/main.c /solution/table.c /app/
make clean
make
