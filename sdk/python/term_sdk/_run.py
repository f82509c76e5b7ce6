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
    hosted = to_agent(agent)
    caller = Caller()

    def work(session: Session) -> bool:
        try:
            caller.call(hosted.setup)
        except Exception:
            # The agent can't answer without setup. The runner sees the exit code and this line.
            log(f"setup failed:\n{traceback.format_exc().rstrip()}")
            return False
        return serve(hosted, session, caller)

    def cleanup() -> None:
        try:
            caller.call(hosted.cleanup)
        finally:
            caller.close()

    host(work, cleanup)
