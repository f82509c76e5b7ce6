import json
import subprocess
import sys

quiet = subprocess.DEVNULL
child = ["env", "-i", "sleep", "600"]
subprocess.Popen(child, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
for line in sys.stdin:
    print(json.dumps({"command": "ls"}), flush=True)
