#!/bin/bash
[ -e ready ] && touch was-ready
