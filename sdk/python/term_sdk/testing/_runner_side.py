from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Optional

from .._request import Request
from .._response import Response
from ._shell import CommandOutcome, Shell

_MAX_IDLE = 3


@dataclass(frozen=True)
class Step:
    request: Request
    response: Response


class RunnerSide:
    """The runner's side of the protocol, as far as unit tests need it."""

    def __init__(self, shell: Shell, instruction: str, max_steps: int) -> None:
        self.steps: list[Step] = []
        self.end: Optional[str] = None
        #: A failing shell is an error in the test, not in the agent.
        self.shell_failure: Optional[Exception] = None
        self._shell = shell
        self._instruction = instruction
        self._max_steps = max_steps
        self._idle_in_a_row = 0
        self._next = self._request(None, None)

    def receive(self) -> Optional[str]:
        return None if self._over else self._next

    def send(self, line: str) -> bool:
        if self._over:
            return False
        response = Response.of(json.loads(line))
        self.steps.append(Step(Request.parse(self._next), response))
        outcome = self._execute(response.command)
        self._idle_in_a_row = self._idle_in_a_row + 1 if response.idle else 0
        if response.task_complete:
            self.end = "complete"
        elif self._idle_in_a_row == _MAX_IDLE:
            self.end = "idle"
        elif len(self.steps) >= self._max_steps:
            self.end = "max_steps"
        self._next = self._request(response.command, outcome)
        return True

    @property
    def _over(self) -> bool:
        return self.end is not None or self.shell_failure is not None

    def _execute(self, command: Optional[str]) -> Optional[CommandOutcome]:
        if command is None:
            return None
        try:
            return self._shell.run(command)
        except Exception as error:
            self.shell_failure = error
            return None

    def _request(self, command: Optional[str], outcome: Optional[CommandOutcome]) -> str:
        return json.dumps(
            {
                "instruction": self._instruction,
                "step": len(self.steps) + 1,
                "last_command": command,
                "output": outcome and outcome.output,
                "exit_code": outcome and outcome.exit_code,
                "cwd": self._shell.cwd,
            }
        )
