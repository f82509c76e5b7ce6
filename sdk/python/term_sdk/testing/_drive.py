from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from .._agent import Agent, Caller, Solve, to_agent
from .._script import Script, serve_script
from .._serve import serve
from .._session import Session
from ._runner_side import RunnerSide, Step
from ._shell import Shell


@dataclass(frozen=True)
class Trial:
    #: complete, idle, max_steps, or stopped: the agent exited without completing the task.
    end: str
    steps: list[Step]
    #: What `solve` raised. A real run logs it and responds with an idle step.
    errors: list[Exception]

    @property
    def completed(self) -> bool:
        return self.end == "complete"

    @property
    def commands(self) -> list[str]:
        asked = (step.response.command for step in self.steps)
        return [command for command in asked if command is not None]


def drive(
    agent: Union[Agent, Solve], shell: Shell, instruction: str = "test", max_steps: int = 100
) -> Trial:
    """Acts as the runner for an agent, in this process, with the same lines as a real run."""
    guest = to_agent(agent)
    caller = Caller()
    runner = RunnerSide(shell, instruction, max_steps)
    errors: list[Exception] = []
    try:
        caller.call(guest.setup)
        serve(guest, Session(runner), caller, errors.append)
    finally:
        caller.call(guest.cleanup)
        caller.close()
    return _result(runner, errors)


def drive_script(
    script: Script, shell: Shell, instruction: str = "test", max_steps: int = 100
) -> Trial:
    runner = RunnerSide(shell, instruction, max_steps)
    errors: list[Exception] = []
    serve_script(script, Session(runner), errors.append)
    return _result(runner, errors)


def _result(runner: RunnerSide, errors: list[Exception]) -> Trial:
    if runner.shell_failure is not None:
        raise runner.shell_failure
    return Trial(runner.end or "stopped", runner.steps, errors)
