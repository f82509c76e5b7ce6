import json
import sys

request = json.loads(sys.stdin.read().splitlines()[0])
print(json.dumps({"command": "ls", "text": request["cwd"]}), flush=True)
