import json
import sys

step = 1
while True:
    done = step > 2
    print(json.dumps({"command": None if done else "ls", "task_complete": done}), flush=True)
    if done or not sys.stdin.readline():
        break
    step += 1
