#!/usr/bin/env python3
"""An agent with nothing but Python's standard library: it solves tasks/hello-world."""

import json
import sys

WRITE = "echo 'Hello, world!' > hello.txt"
CHECK = "cat hello.txt"
MAX_STEPS = 6


def run(command, text):
    return {"command": command, "task_complete": False, "text": text}


def finish(text):
    return {"command": None, "task_complete": True, "text": text}


def solve(request):
    """One request in, one answer out. `request` has all fields of the protocol, null as None."""
    if request["step"] == 1:
        return run(WRITE, "Write the file")
    if request["step"] > MAX_STEPS:
        return finish("Giving up: hello.txt can't be written")
    if request["exit_code"] != 0:
        # The output holds stdout and stderr, so it says what went wrong.
        log("failed:", request["last_command"], "->", request["output"])
        return run("rm -rf hello.txt; " + WRITE, "That failed; clear the way and try again")
    if request["last_command"] != CHECK:
        return run(CHECK, "Is it there?")
    if request["output"] != "Hello, world!":
        return run(WRITE, "Wrong contents; write it again")
    return finish("hello.txt is right")


def log(*words):
    """stdout carries answers only; everything else goes to stderr."""
    print("[agent]", *words, file=sys.stderr)


# Line by line: sys.stdin.read() would wait forever, as stdin stays open.
for line in sys.stdin:
    answer = solve(json.loads(line))
    # Without the flush the answer would sit in a buffer and the step would time out.
    print(json.dumps(answer), flush=True)
    if answer["task_complete"]:
        break
