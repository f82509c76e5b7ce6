#!/bin/bash
ping -c 1 127.0.0.1 && touch pinged
python3 -c 'import socket as s; s.socket(s.AF_INET, s.SOCK_RAW, s.IPPROTO_ICMP)' && touch raw
