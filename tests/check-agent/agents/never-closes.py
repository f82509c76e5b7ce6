import sys

for line in sys.stdin:
    print('{"command": "ls"', flush=True)
