#!/usr/bin/env python3
"""__NAME__: an agent for terminal tasks. It needs nothing but Python 3.9 or later."""

import json
import sys

WRITE = "echo 'Hello, world!' > hello.txt"
CHECK = "cat hello.txt"
MAX_STEPS = 10


def solve(request):
    """Decides what to do next. This is the part to improve: ask a model here.

    `request` has `instruction`, `step` (from 1), `cwd`, and of the last command `last_command`,
    `output` and `exit_code`, which are None on step 1. After an invalid answer the same step is
    sent again, with a field `error` that says why.
    """
    if request["step"] == 1:
        return command(WRITE, "Write the file")
    if request["exit_code"] == 0 and request["output"] == "Hello, world!":
        return done("hello.txt is right")
    if request["step"] >= MAX_STEPS:
        return done("Giving up")
    if request["exit_code"] == 0 and request["last_command"] != CHECK:
        return command(CHECK, "Is it there?")
    log("that did not work:", request["output"])
    return command("rm -rf hello.txt; " + WRITE, "Once more")


def command(line, text):
    return {"command": line, "task_complete": False, "text": text}


def done(text):
    return {"command": None, "task_complete": True, "text": text}


def log(*words):
    """stdout carries answers only; everything else goes to stderr."""
    print("[__NAME__]", *words, file=sys.stderr)


def main():
    # Line by line and as UTF-8, whatever the locale says; stdin stays open to the end.
    for line in sys.stdin.buffer:
        answer = solve(json.loads(line))
        print(json.dumps(answer), flush=True)
        if answer["task_complete"]:
            break


if __name__ == "__main__":
    main()
