import sys

for line in sys.stdin:
    print('{"cmd": "ls", "done": false}', flush=True)
