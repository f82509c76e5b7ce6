"""Reads in one thread and thinks in another, longer than the check waits for a stuck agent."""

import json
import queue
import sys
import threading
import time

requests = queue.Queue()


def read():
    for line in sys.stdin:
        requests.put(json.loads(line))
    requests.put(None)


threading.Thread(target=read, daemon=True).start()
slow = True
while (request := requests.get()) is not None:
    if slow:
        time.sleep(5)
        slow = False
    done = request["step"] > 1
    print(json.dumps({"command": None if done else "ls", "task_complete": done}), flush=True)
    if done:
        break
