# Sourced by the programs in bin, never started by itself.
say() { echo "site: $*"; }
need() { [ -n "$1" ] || { say "a release is missing" >&2; exit 2; }; }
