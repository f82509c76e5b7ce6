from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._request import Request
from .._response import Response
from ._truncate import truncate_middle
from ._errors import AgentError
from ._tool import Tool

SYSTEM = """\
You are solving a task in a terminal on your own: nobody can answer questions.
Look around with the shell tool before you change anything, take one step at a time, and read \
what each command prints. Check your work as a careful reviewer would.
When the task is done, and not before, call the finish tool."""

KEEP_GOING = "Use the shell tool to continue, or the finish tool if the task is done."
CUT_OFF = f"Your response reached its token limit before it called a tool. Be brief. {KEEP_GOING}"


def _shell(arguments: Mapping[str, Any]) -> Response:
    command = arguments.get("command")
    if not isinstance(command, str) or not command.strip():
        raise AgentError("tool", "shell needs a command, as a non-empty string")
    return Response.cmd(command)


def _finish(arguments: Mapping[str, Any]) -> Response:
    summary = arguments.get("summary")
    return Response.done(summary if isinstance(summary, str) else None)


#: Tools that return a Response take a protocol step.
SHELL = Tool(
    name="shell",
    description=(
        "Runs a command line in the task's terminal and returns its output, exit code and "
        "directory. All calls share one shell: directory and variables persist. Standard input is "
        "empty, so use no editors or pagers, and start servers in the background."
    ),
    parameters={
        "type": "object",
        "properties": {"command": {"type": "string"}},
        "required": ["command"],
    },
    execute=_shell,
)
FINISH = Tool(
    name="finish",
    description="Ends your work on the task, once it is done and checked.",
    parameters={
        "type": "object",
        "properties": {"summary": {"type": "string", "description": "what was done, in short"}},
    },
    execute=_finish,
)


def result_of(request: Request, output_limit: int) -> str:
    """What the model sees of a step."""
    if request.error is not None:
        raise AgentError("tool", f"the command was rejected: {request.error}")
    output = truncate_middle(request.output or "", output_limit, "output") or "(no output)"
    return f"{output}\n[exit code {request.exit_code}, in {request.cwd}]"
