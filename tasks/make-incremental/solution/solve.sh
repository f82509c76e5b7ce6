#!/bin/sh
set -e
cat >Makefile <<'MAKE'
# Builds ./clock from src/*.c and a header that is generated from VERSION.
CC = gcc
CFLAGS = -O1 -Wall
INCLUDES = -Isrc -Iout

SOURCES = $(wildcard src/*.c)
OBJECTS = $(SOURCES:src/%.c=out/%.o)

all: clock

# The generated header must be there before the first compilation; after that the .d files know who needs it.
# -MP gives headers empty rules, so that a deleted one is not missed.
out/%.o: src/%.c | out/version.h
	$(CC) $(INCLUDES) $(CFLAGS) -MMD -MP -c -o $@ $<

clock: $(OBJECTS)
	$(CC) $(CFLAGS) -o $@ $(OBJECTS)

out/version.h: VERSION out/mkversion
	out/mkversion <VERSION >$@.new
	mv $@.new $@

out/mkversion: tools/mkversion.c | out
	$(CC) $(CFLAGS) -o $@ $<

out:
	mkdir -p $@

clean:
	rm -rf out clock

-include $(OBJECTS:.o=.d)

.PHONY: all clean
.DELETE_ON_ERROR:
MAKE
