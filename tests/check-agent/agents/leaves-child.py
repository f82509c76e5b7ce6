import json
import subprocess
import sys

quiet = subprocess.DEVNULL
subprocess.Popen(["sleep", "600"], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
for line in sys.stdin:
    done = json.loads(line)["step"] > 2
    print(json.dumps({"command": None if done else "ls", "task_complete": done}), flush=True)
    if done:
        break
