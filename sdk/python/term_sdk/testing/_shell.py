from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Optional, Pattern, Protocol, Union


@dataclass(frozen=True)
class CommandOutcome:
    output: str
    exit_code: int


class Shell(Protocol):
    """Runs an agent's commands in tests."""

    @property
    def cwd(self) -> str:
        """The directory the next command runs in."""

    def run(self, command: str) -> CommandOutcome:
        """Runs one command."""


@dataclass(frozen=True)
class Reply:
    output: str = ""
    exit_code: int = 0
    #: The command expected here; any command if None.
    command: Optional[Union[str, Pattern[str]]] = None
    #: The working directory after this command.
    cwd: Optional[str] = None


class Scripted:
    """A shell that returns the given replies in order. An unexpected command is an error."""

    def __init__(self, replies: tuple[Reply, ...], cwd: str) -> None:
        self._replies = replies
        self._played = 0
        self.cwd = cwd

    def run(self, command: str) -> CommandOutcome:
        if self._played == len(self._replies):
            raise AssertionError(f"no reply left for command {self._played + 1}: {command}")
        reply = self._replies[self._played]
        self._played += 1
        if not _is_expected(command, reply.command):
            expected = getattr(reply.command, "pattern", reply.command)
            raise AssertionError(f"command {self._played} should be {expected}, but was {command}")
        self.cwd = reply.cwd or self.cwd
        return CommandOutcome(reply.output, reply.exit_code)


def scripted(*replies: Reply, cwd: str = "/app") -> Scripted:
    return Scripted(replies, cwd)


def _is_expected(command: str, expected: Optional[Union[str, Pattern[str]]]) -> bool:
    if expected is None or isinstance(expected, str):
        return expected in (None, command)
    return re.search(expected, command) is not None
