from __future__ import annotations

import asyncio
import inspect
from abc import ABC, abstractmethod
from typing import Any, Awaitable, Callable, Optional, Union

from ._request import Request
from ._response import Response

Solve = Callable[[Request], Union[Response, Awaitable[Response]]]


class Agent(ABC):
    """Only `solve` is required. Each method may be `async`."""

    def setup(self) -> Any:
        """Called once, before the first request is read."""

    @abstractmethod
    def solve(self, request: Request) -> Any:
        """Returns one Response per request. State between steps is up to the agent."""

    def cleanup(self) -> Any:
        """Called once: after completion, when the runner closes stdin, or on a signal."""


class FunctionAgent(Agent):
    def __init__(self, solve: Solve) -> None:
        self._solve = solve

    def solve(self, request: Request) -> Any:
        return self._solve(request)


def to_agent(agent: Union[Agent, Solve]) -> Agent:
    return agent if isinstance(agent, Agent) else FunctionAgent(agent)


class Caller:
    """Calls plain and async functions, with one event loop for the agent's lifetime."""

    def __init__(self) -> None:
        self._loop: Optional[asyncio.AbstractEventLoop] = None

    def call(self, function: Callable[..., Any], *args: object) -> Any:
        value = function(*args)
        if not inspect.isawaitable(value):
            return value
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(value)

    def close(self) -> None:
        if self._loop is not None:
            self._loop.close()
