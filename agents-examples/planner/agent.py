#!/usr/bin/env python3
"""An agent that makes a plan, remembers what happened, and changes the plan when a step fails.

It solves tasks/hello-world, and any other "Create a file NAME containing 'TEXT'". To improve it,
let a model do the work of `make_plan` and `repair`: they get all that a model would need.
"""

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

# The SDK in this repository. An agent of your own would have it installed, and need no path.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "sdk" / "python"))

from term_sdk import Agent, Request, Response, limits, run  # noqa: E402

MAX_FAILURES = 3


@dataclass
class Todo:
    """One entry of the plan."""

    goal: str
    command: str
    #: What the command must print; None when its exit code says enough.
    expected: Optional[str] = None


@dataclass
class Done:
    """One entry of the history."""

    todo: Todo
    exit_code: Optional[int]
    output: str

    @property
    def worked(self) -> bool:
        expected = self.todo.expected
        return self.exit_code == 0 and expected in (None, self.output)


class Planner(Agent):
    def setup(self) -> None:
        # The process lives from the first step to the last, and so does all of this.
        self.plan: list[Todo] = []
        self.history: list[Done] = []
        self.doing: Optional[Todo] = None
        self.answer = Response.say("nothing to do yet")
        print(f"at most {limits().max_steps} steps")  # The SDK sends prints to stderr.

    def solve(self, request: Request) -> Response:
        # A request with an error repeats the step: nothing ran, so nothing is to be remembered.
        if request.error is None:
            self.learn(request)
            self.answer = self.next()
        return self.answer

    def learn(self, request: Request) -> None:
        """Makes the plan, or compares what happened with it."""
        if self.doing is None:
            self.plan = make_plan(request.instruction)
            return
        last = Done(self.doing, request.exit_code, request.output or "")
        self.history.append(last)
        if not last.worked:
            self.plan = repair(request.instruction, last)

    def next(self) -> Response:
        failures = [done for done in self.history if not done.worked]
        if len(failures) > MAX_FAILURES:
            return Response.done(f"Giving up: {failures[-1].output}")
        if not self.plan:
            return Response.done(f"{len(self.history)} steps done, {len(failures)} of them failed")
        self.doing = self.plan.pop(0)
        # Data is for the log: what else was planned when this command was chosen.
        later = [todo.goal for todo in self.plan]
        return Response.cmd(self.doing.command, self.doing.goal).with_data({"plan": later})


def make_plan(instruction: str) -> list[Todo]:
    found = re.search(r"file (\S+) containing '(.*)'", instruction)
    if not found:
        print("no idea how to do that:", instruction)
        return []
    name, text = shlex.quote(found[1]), shlex.quote(found[2])
    return [
        Todo("look around", "ls -la"),
        Todo("write the file", f"printf '%s\\n' {text} > {name}"),
        Todo("check the file", f"cat {name}", expected=found[2]),
    ]


def repair(instruction: str, failed: Done) -> list[Todo]:
    """A new plan after a failure. A model would read the output; this one removes the file first."""
    print("failed:", failed.todo.command, "->", failed.output)
    plan = make_plan(instruction)
    name = shlex.split(plan[-1].command)[-1]
    return [Todo("clear the way", f"rm -rf {shlex.quote(name)}"), *plan]


if __name__ == "__main__":
    run(Planner())
