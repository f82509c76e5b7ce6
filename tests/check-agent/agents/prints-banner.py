import json
import sys

print("MyAgent v1.2 is loading its model", flush=True)
for line in sys.stdin:
    done = json.loads(line)["step"] > 2
    print(json.dumps({"command": None if done else "ls", "task_complete": done}), flush=True)
    if done:
        break
