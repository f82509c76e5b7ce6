#!/bin/sh
# Builds the program that term-run brings into sandboxes, for both architectures. Needs gcc and
# gcc-aarch64-linux-gnu (Debian's packages); the results are committed.
set -eu
cd "$(dirname "$0")/../src/sandbox/native"
hash=$(sha256sum init.c | cut -d' ' -f1)

build() {
  "$1" -std=gnu11 -Os -Wall -Wextra -static -nostdlib -ffreestanding -fno-stack-protector -fno-pic -no-pie \
    -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns "-DSOURCE_SHA256=\"$hash\"" \
    -Wl,--build-id=none -Wl,-z,noexecstack -Wl,-z,max-page-size=4096 -s -o "$2" init.c
  chmod 755 "$2"
}

build "${CC_X64:-x86_64-linux-gnu-gcc}" init-x64
build "${CC_ARM64:-aarch64-linux-gnu-gcc}" init-arm64
ls -l init-x64 init-arm64
