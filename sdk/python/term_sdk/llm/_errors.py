from __future__ import annotations

from typing import Optional


class AgentError(Exception):
    """Everything that goes wrong between an agent and its model."""

    def __init__(
        self,
        kind: str,
        message: str,
        cause: Optional[BaseException] = None,
        status: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        #: agent, tool, timeout, rate_limit, network or invalid.
        self.kind = kind
        self.message = message
        #: Of the provider's answer, where there was one.
        self.status = status
        self.__cause__ = cause

    @property
    def cause(self) -> Optional[BaseException]:
        return self.__cause__

    def noting(self, note: str) -> AgentError:
        """The same error with something to add."""
        return AgentError(self.kind, f"{self.message}; {note}", self.cause, self.status)


class Transient(Exception):
    """A failure that may pass: worth another try."""

    def __init__(self, error: AgentError, retry_after_sec: Optional[float] = None) -> None:
        super().__init__(error.message)
        self.error = error
        #: How long the server asks to wait, if it does.
        self.retry_after_sec = retry_after_sec
