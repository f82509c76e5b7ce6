#!/bin/sh
# Installs the application: install.sh SOURCE TARGET
source=$1
target=$2

mkdir $target
cd $target
mkdir bin share etc private
cp $source/bin/* bin
cp $source/share/* share
cp $source/etc/* etc
cp $source/private/* private
chmod 755 bin/*
chmod 700 private
chmod 600 private/*
