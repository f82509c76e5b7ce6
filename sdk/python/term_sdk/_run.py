from __future__ import annotations

import traceback
from typing import Union

from ._agent import Agent, Caller, Solve, to_agent
from ._host import host
from ._log import log
from ._serve import serve
from ._session import Session


def run(agent: Union[Agent, Solve]) -> None:
    """Runs an agent, or a plain function, over stdin and stdout."""
    guest = to_agent(agent)
    caller = Caller()

    def work(session: Session) -> bool:
        try:
            caller.call(guest.setup)
        except Exception:
            # Without its setup an agent can't answer; the runner sees the exit code and this line.
            log(f"setup failed:\n{traceback.format_exc().rstrip()}")
            return False
        return serve(guest, session, caller)

    def cleanup() -> None:
        try:
            caller.call(guest.cleanup)
        finally:
            caller.close()

    host(work, cleanup)
