from __future__ import annotations

import traceback
from typing import Callable

from ._agent import Agent, Caller
from ._give_up import GiveUp
from ._log import log
from ._request import Request
from ._response import Response
from ._session import Session

OnError = Callable[[Exception], None]


def ignore(error: Exception) -> None:
    """Most callers only need the log."""


def serve(agent: Agent, session: Session, caller: Caller, on_error: OnError = ignore) -> bool:
    """Answers requests until the task is complete or the runner closes the session.

    False if the agent gave up.
    """
    while True:
        request = session.next()
        if request is None:
            return True
        try:
            line, last = _answer(agent, request, caller, on_error)
        except GiveUp as reason:
            give_up(reason, session, on_error)
            return False
        if not session.send(line) or last:
            return True


def give_up(reason: GiveUp, session: Session, on_error: OnError) -> None:
    """Logs the reason to stderr, which the runner quotes. A step is only sent to report usage."""
    on_error(reason)
    log(f"gave up: {reason}")
    if reason.usage is not None:
        session.send(Response.say(f"gave up: {reason}").with_usage(**reason.usage).to_line())


def _answer(agent: Agent, request: Request, caller: Caller, on_error: OnError) -> tuple[str, bool]:
    """An exception never completes the task: the step is idle, and the runner's limits apply."""
    try:
        response = Response.of(caller.call(agent.solve, request))
        # Inside the try: data that can't be serialised is the agent's error too.
        return response.to_line(), response.task_complete
    except GiveUp:
        raise
    except Exception as error:
        on_error(error)
        log(f"solve failed at step {request.step}:\n{traceback.format_exc().rstrip()}")
        return Response.say(f"solve failed: {error}").to_line(), False
