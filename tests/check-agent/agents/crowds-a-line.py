import json
import sys

for line in sys.stdin:
    done = json.loads(line)["step"] > 2
    answer = json.dumps({"command": None if done else "ls", "task_complete": done})
    print(json.dumps({"text": "let me think"}) + answer, flush=True)
    if done:
        break
