import json
import sys

for line in sys.stdin:
    print(f"Let me think about step {json.loads(line)['step']}", flush=True)
