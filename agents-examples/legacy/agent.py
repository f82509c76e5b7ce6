#!/usr/bin/env python3
"""An agent that answers in the older form of Terminal-Bench: it solves tasks/hello-world.

Requests look the same as for any agent; only the answers differ:

    {"analysis": "...", "plan": "...", "commands": [{"keystrokes": "ls\\n", "duration": 0.5}],
     "task_complete": false}

Use this form for an existing agent that already speaks it. A new agent is simpler with
`command` and `text`: see the folder `python`.
"""

import json
import sys

MAX_STEPS = 6


def answer(analysis, plan, *lines, complete=False):
    """The keystrokes are run as shell lines, one after another, in one step.

    `duration` was how long to wait for the screen. Here every line runs until it ends.
    """
    return {
        "analysis": analysis,
        "plan": plan,
        # The newline is the Enter key.
        "commands": [{"keystrokes": line + "\n", "duration": 0.5} for line in lines],
        "task_complete": complete,
    }


def solve(request):
    if request["step"] == 1:
        return answer(
            "Nothing is done yet",
            "Write the file and look at it",
            "echo 'Hello, world!' > hello.txt",
            "cat hello.txt",
        )
    # One step, one output and one exit code: those of the lines together, and of the last one.
    if request["exit_code"] == 0 and request["output"] == "Hello, world!":
        return answer("hello.txt is right", "Nothing left to do", complete=True)
    if request["step"] > MAX_STEPS:
        return answer("hello.txt can't be written", "Give up", complete=True)
    return answer(
        f"That did not work: {request['output']}",
        "Clear the way and try again",
        "rm -rf hello.txt",
        "echo 'Hello, world!' > hello.txt",
        "cat hello.txt",
    )


# Line by line, and flushed: see the folder `python` for why.
for line in sys.stdin:
    response = solve(json.loads(line))
    print(json.dumps(response), flush=True)
    if response["task_complete"]:
        break
