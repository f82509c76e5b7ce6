#!/bin/sh
# Builds the programs that term-run brings into sandboxes, beside them, and into agents' namespaces, for
# both architectures. Needs gcc and gcc-aarch64-linux-gnu (Debian's packages); the results are committed.
set -eu
cd "$(dirname "$0")/../src/sandbox/native"

# build COMPILER ARCHITECTURE PROGRAM SOURCE... (the first source is the program's own)
build() {
  compiler=$1 to=$3-$2
  shift 3
  hash=$(cat "$@" | sha256sum | cut -d' ' -f1)
  "$compiler" -std=gnu11 -Os -Wall -Wextra -static -nostdlib -ffreestanding -fno-stack-protector -fno-pic -no-pie \
    -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns "-DSOURCE_SHA256=\"$hash\"" \
    -Wl,--build-id=none -Wl,-z,noexecstack -Wl,-z,max-page-size=4096 -s -o "$to" "$1"
  chmod 755 "$to"
}

LEASH=../../leash/native/leash

build_all() {
  build "$1" "$2" init init.c base.h
  build "$1" "$2" egress egress.c egress-names.h base.h
  build "$1" "$2" "$LEASH" "$LEASH.c"
}

build_all "${CC_X64:-x86_64-linux-gnu-gcc}" x64
build_all "${CC_ARM64:-aarch64-linux-gnu-gcc}" arm64
ls -l init-* egress-* "$LEASH"-*
