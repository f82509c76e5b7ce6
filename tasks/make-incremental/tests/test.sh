#!/bin/sh
# Reward: the share of cases that hold. The agent's Makefile is used with the original sources, anew for each case.
reward=/logs/verifier/reward.txt
work=$(mktemp -d)
salt=$(od -An -N 2 -t u2 /dev/urandom | tr -d ' \n')
total=0
held=0
export LC_ALL=C

# begin NAME: a fresh copy of the sources with the Makefile under test.
begin() {
  name=$1
  why=
  mkdir "$work/$name"
  cd "$work/$name" || exit 1
  cp -R /tests/clock/. .
  cp /app/Makefile .
}

# Only the first problem of a case is reported.
miss() {
  [ -n "$why" ] || why=$1
}

build() {
  timeout 60 make "$@" >make.log 2>&1 || miss "make $* fails: $(grep -v '^make' make.log | tail -n 1)"
}

# shows TEXT ARGUMENT...: what the built program prints.
shows() {
  want=$1
  shift
  found=$(timeout 5 ./clock "$@" 2>&1)
  [ "$found" = "$want" ] || miss "clock $* prints '$found', expected '$want'"
}

# note, then same NAME... and newer NAME...: which objects were compiled since.
note() { rm -rf .before && mkdir .before && cp -p out/*.o clock .before/; sleep 0.05; }
same() {
  for object; do
    [ "$(stat -c %y "out/$object.o")" = "$(stat -c %y ".before/$object.o")" ] || miss "$object.c was compiled without need"
  done
}
newer() {
  for object; do
    [ "$(stat -c %y "out/$object.o")" != "$(stat -c %y ".before/$object.o")" ] || miss "$object.c was not compiled again"
  done
}

idle() {
  timeout 60 make -q >/dev/null 2>&1 || miss "make has something to do although nothing has changed"
}

end() {
  cd /
  total=$((total + 1))
  if [ -z "$why" ]; then
    held=$((held + 1))
    echo "ok: $name"
  else
    printf 'FAIL: %s: %s\n' "$name" "$why"
  fi
}

# Written first, so that a test that breaks off counts as a failure.
echo 0 >"$reward"

if [ ! -f /app/Makefile ] || [ -L /app/Makefile ]; then
  echo "FAIL: there is no regular file /app/Makefile"
  exit 1
fi

begin parallel
for round in 1 2 3; do
  build -j8
  shows 'clock 1.4.0' --version
  build clean
  [ ! -e out ] && [ ! -e clock ] || miss "make clean leaves out or clock"
done
build clean
end

begin nothing-to-do
build
shows 02:30 east 60
idle
note
build
same main format zones
build -j8
same main format zones
others=$(find . -newer Makefile -type f ! -path './out/*' ! -path './.before/*' ! -name make.log ! -name clock | head -n 1)
[ -z "$others" ] || miss "it writes $others"
end

begin one-source
build
note
sed -i "s/return 90;/return 90 + 15;/" src/zones.c
build -j8
newer zones
same main format
shows 02:45 east 60
idle
end

begin deep-header
build
note
sed -i 's/SEPARATOR ":"/SEPARATOR "h"/' src/style.h
build
newer main format
same zones
shows 02h30 east 60
idle
note
sed -i "s/DEFAULT_OFFSET 0/DEFAULT_OFFSET 7/" src/zones.h
build -j8
newer main zones
same format
shows 01h07 nowhere 60
end

begin version
build
note
echo "2.0-$salt" >VERSION
build -j8
newer main
same format zones
shows "clock 2.0-$salt" --version
idle
end

begin generator
build
sed -i 's/VERSION \\"%s\\"/VERSION \\"v%s\\"/' tools/mkversion.c
note
build -j8
same format zones
shows 'clock v1.4.0' --version
idle
end

begin new-source
build
note
printf 'int extra_%s(void) { return 5; }\n' "$salt" >src/extra.c
sed -i "s/DEFAULT_OFFSET 0/DEFAULT_OFFSET extra_$salt()\nint extra_$salt(void);/" src/zones.h
build -j8
[ -e out/extra.o ] || miss "there is no out/extra.o"
same format
shows 01:05 nowhere 60
idle
end

begin new-header
build
printf '#define SHIFT 1\n' >src/shift.h
sed -i 's/#include "zones.h"/#include "zones.h"\n#include "shift.h"/; s/return 90;/return 90 + SHIFT;/' src/zones.c
build
shows 02:31 east 60
note
printf '#define SHIFT 2\n' >src/shift.h
build
newer zones
same main format
shows 02:32 east 60
rm src/shift.h
sed -i '/shift.h/d; s/ + SHIFT//' src/zones.c
build -j8
shows 02:30 east 60
idle
end

begin failure
: >VERSION
if timeout 60 make -j8 >make.log 2>&1; then miss "make succeeds with an empty VERSION"; fi
if timeout 60 make >make.log 2>&1; then miss "after a failed build the next one takes a half-written header"; fi
echo 3.1 >VERSION
build -j8
shows 'clock 3.1' --version
printf 'syntax error\n' >>src/format.c
if timeout 60 make >make.log 2>&1; then miss "make succeeds with a syntax error in a source"; fi
end

begin other-flags
build CFLAGS=-O0
shows 21:00 west 120
build -j8 clean
build -j8 CFLAGS='-O2 -g'
shows 21:00 west 120
end

rm -rf "$work"
echo "$held of $total cases hold"
# The Makefile under test ran in here and could have left a reward of its own.
rm -rf /logs/verifier/reward.*
awk -v held="$held" -v total="$total" 'BEGIN { print held / total }' >"$reward"
[ "$held" -eq "$total" ]
