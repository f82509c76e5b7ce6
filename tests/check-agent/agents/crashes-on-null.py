import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    done = request["exit_code"] < 1 and "hello" in request["output"]
    print(json.dumps({"command": None if done else "ls", "task_complete": done}), flush=True)
