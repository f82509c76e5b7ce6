from __future__ import annotations

import traceback
from typing import Callable

from ._agent import Agent, Caller
from ._log import log
from ._request import Request
from ._response import Response
from ._session import Session

OnError = Callable[[Exception], None]


def ignore(error: Exception) -> None:
    """Most callers need no more than the log."""


def serve(agent: Agent, session: Session, caller: Caller, on_error: OnError = ignore) -> None:
    """Answers requests until the task is complete or the runner closes the session."""
    while True:
        request = session.next()
        if request is None:
            return
        line, last = _answer(agent, request, caller, on_error)
        if not session.send(line) or last:
            return


def _answer(agent: Agent, request: Request, caller: Caller, on_error: OnError) -> tuple[str, bool]:
    """An exception is never completion: the step is idle, and the runner's limits apply."""
    try:
        response = Response.of(caller.call(agent.solve, request))
        # Written inside the try: data that JSON can't hold is the agent's mistake as well.
        return response.to_line(), response.task_complete
    except Exception as error:
        on_error(error)
        log(f"solve failed at step {request.step}:\n{traceback.format_exc().rstrip()}")
        return Response.say(f"solve failed: {error}").to_line(), False
