import json
import os

while True:
    # A fixed buffer: what doesn't fit is an incomplete request.
    chunk = os.read(0, 65536)
    if not chunk:
        break
    done = json.loads(chunk)["step"] > 2
    print(json.dumps({"command": None if done else "ls", "task_complete": done}), flush=True)
    if done:
        break
