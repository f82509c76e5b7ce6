from __future__ import annotations

from typing import Optional, Protocol

from ._log import log
from ._request import Request
from ._response import Response


class Channel(Protocol):
    """Lines to and from a runner: stdin and stdout, or a test that acts as the runner."""

    def receive(self) -> Optional[str]:
        """The next line, or None if the runner has closed its side."""

    def send(self, line: str) -> bool:
        """False if the reader is gone."""


class SessionClosed(Exception):
    """The runner has ended the trial; no more commands can run."""


class Session:
    """Requests and responses over a channel."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def next(self) -> Optional[Request]:
        """The next request, or None if there are no more."""
        while True:
            line = self._channel.receive()
            if line is None:
                return None
            if not line.strip():
                continue
            try:
                return Request.parse(line)
            except Exception as error:
                # The runner expects one response per line, even for a line we can't parse.
                log(f"can't parse the request: {error}")
                self.send(Response.say("The request could not be read.").to_line())

    def send(self, line: str) -> bool:
        return self._channel.send(line)
