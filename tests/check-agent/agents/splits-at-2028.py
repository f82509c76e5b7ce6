import json
import sys

while True:
    chunk = sys.stdin.readline()
    if not chunk:
        break
    for line in chunk.splitlines():
        done = json.loads(line)["step"] > 2
        print(json.dumps({"command": None if done else "ls", "task_complete": done}), flush=True)
        if done:
            sys.exit()
