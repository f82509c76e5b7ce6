#!/bin/sh
# Builds the programs that term-run brings into sandboxes and agents' namespaces, for both
# architectures. Needs gcc and gcc-aarch64-linux-gnu (Debian's packages); the results are committed.
set -eu
cd "$(dirname "$0")/../src"

build() {
  "$1" -std=gnu11 -Os -Wall -Wextra -static -nostdlib -ffreestanding -fno-stack-protector -fno-pic -no-pie \
    -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns "-DSOURCE_SHA256=\"$hash\"" \
    -Wl,--build-id=none -Wl,-z,noexecstack -Wl,-z,max-page-size=4096 -s -o "$3" "$2"
  chmod 755 "$3"
}

for program in sandbox/native/init leash/native/leash; do
  hash=$(sha256sum "$program.c" | cut -d' ' -f1)
  build "${CC_X64:-x86_64-linux-gnu-gcc}" "$program.c" "$program-x64"
  build "${CC_ARM64:-aarch64-linux-gnu-gcc}" "$program.c" "$program-arm64"
  ls -l "$program-x64" "$program-arm64"
done
