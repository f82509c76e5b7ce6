#!/usr/bin/env python3
import json
import sys


def solve(req):
    if req["step"] == 1:
        return {"command": "echo 'Hello, world!' > hello.txt", "task_complete": False}
    return {"command": None, "task_complete": True}


if __name__ == "__main__":
    for line in sys.stdin:
        response = solve(json.loads(line))
        print(json.dumps(response), flush=True)
        if response["task_complete"]:
            break
