"""Write agents for terminal tasks: one JSON line in, one JSON line out."""

from ._agent import Agent
from ._give_up import GiveUp
from ._limits import Limits, limits
from ._request import Request
from ._response import Response, Usage
from ._run import run
from ._script import CommandResult, Terminal, run_script
from ._session import SessionClosed

# Older names for the same classes.
AgentRequest = Request
AgentResponse = Response

__all__ = [
    "Agent",
    "AgentRequest",
    "AgentResponse",
    "CommandResult",
    "GiveUp",
    "Limits",
    "Request",
    "Response",
    "SessionClosed",
    "Terminal",
    "Usage",
    "limits",
    "run",
    "run_script",
]
