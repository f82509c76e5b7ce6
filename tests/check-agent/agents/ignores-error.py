import json
import sys

plan = iter(["mkdir work", "cd work", "touch done"])
for line in sys.stdin:
    command = next(plan, None)
    print(json.dumps({"command": command, "task_complete": command is None}), flush=True)
    if command is None:
        break
