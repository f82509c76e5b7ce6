from __future__ import annotations

import re
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Callable, Optional, Pattern, Union

from ._give_up import GiveUp
from ._host import host
from ._log import log
from ._request import Request, first_match, has_any
from ._response import Response, Usage
from ._serve import OnError, give_up, ignore
from ._session import Session, SessionClosed


@dataclass(frozen=True)
class CommandResult:
    """The result of a script's command."""

    command: str
    output: str
    #: -1 if the runner sent none.
    exit_code: int
    cwd: str

    @property
    def ok(self) -> bool:
        return self.exit_code == 0

    @property
    def failed(self) -> bool:
        return not self.ok

    def has(self, *patterns: str) -> bool:
        return has_any(self.output, patterns)

    def match(self, regex: Union[str, Pattern[str]]) -> Optional[re.Match[str]]:
        return first_match(self.output, regex)


class Terminal:
    """The terminal as a script sees it."""

    def __init__(self, session: Session, task: Request) -> None:
        self._session = session
        self._lock = threading.Lock()
        self.cwd = task.cwd

    def run(
        self,
        command: str,
        text: Optional[str] = None,
        data: Optional[Mapping[str, Any]] = None,
        usage: Optional[Usage] = None,
    ) -> CommandResult:
        """Runs one command, which is one step."""
        response = Response.cmd(command, text)
        if data is not None:
            response = response.with_data(data)
        if usage is not None:
            response = response.with_usage(**usage)
        with self._lock:
            return self._step(command, Response.of(response))

    def _step(self, command: str, response: Response) -> CommandResult:
        sent = self._session.send(response.to_line())
        request = self._session.next() if sent else None
        if request is None:
            raise SessionClosed("the runner has closed the session")
        if request.error is not None:
            raise RuntimeError(f"the runner rejected the response: {request.error}")
        self.cwd = request.cwd
        exit_code = -1 if request.exit_code is None else request.exit_code
        return CommandResult(command, request.output or "", exit_code, request.cwd)


#: Returning completes the task. A str becomes its text; a Response is sent with its data.
Script = Callable[[Terminal, Request], Any]


def run_script(script: Script) -> None:
    """Runs a script over stdin and stdout, with control inverted: it calls the terminal."""
    host(lambda session: serve_script(script, session), cleanup=lambda: None)


def serve_script(script: Script, session: Session, on_error: OnError = ignore) -> bool:
    """False if the script failed: it can't continue, and a failure isn't completion."""
    task = session.next()
    if task is None:
        return True
    try:
        line = _completion(script(Terminal(session, task), task)).to_line()
    except SessionClosed:
        return True
    except GiveUp as reason:
        give_up(reason, session, on_error)
        return False
    except Exception as error:
        on_error(error)
        log(f"the script failed:\n{traceback.format_exc().rstrip()}")
        session.send(Response.say(f"the script failed: {error}").to_line())
        return False
    session.send(line)
    return True


def _completion(value: object) -> Response:
    if isinstance(value, Response):
        return Response.of(value.complete())
    return Response.done(value if isinstance(value, str) else None)
