from __future__ import annotations

from typing import Optional, Protocol

from ._log import log
from ._request import Request
from ._response import Response


class Channel(Protocol):
    """Lines to and from a runner: stdin and stdout, or a test that plays the runner."""

    def receive(self) -> Optional[str]:
        """The next line, or None when the runner has closed its side."""

    def send(self, line: str) -> bool:
        """False when nobody reads any more."""


class SessionClosed(Exception):
    """The runner has ended the trial, so no command can run any more."""


class Session:
    """Requests and answers over a channel."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def next(self) -> Optional[Request]:
        """The next request, or None when there will be none."""
        while True:
            line = self._channel.receive()
            if line is None:
                return None
            if not line.strip():
                continue
            try:
                return Request.parse(line)
            except Exception as error:
                # The runner waits for one answer to each line, also to one we can't read.
                log(f"unreadable request: {error}")
                self.send(Response.say("The request could not be read.").to_line())

    def send(self, line: str) -> bool:
        return self._channel.send(line)
