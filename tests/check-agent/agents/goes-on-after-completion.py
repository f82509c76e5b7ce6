import sys

for line in sys.stdin:
    print('{"task_complete": true}', flush=True)
print('{"command": "rm -rf work", "text": "cleaning up"}', flush=True)
