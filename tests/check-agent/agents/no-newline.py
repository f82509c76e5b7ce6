import sys

for line in sys.stdin:
    sys.stdout.write('{"command": "ls"}')
    sys.stdout.flush()
