#!/bin/bash
cat >read && touch done
