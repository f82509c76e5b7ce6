from __future__ import annotations

from typing import Optional


class AgentError(Exception):
    """Any failure between an agent and its model."""

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
        #: The HTTP status of the provider's response, if there was one.
        self.status = status
        self.__cause__ = cause

    @property
    def cause(self) -> Optional[BaseException]:
        return self.__cause__

    def noting(self, note: str) -> AgentError:
        """The same error with an added note."""
        return AgentError(self.kind, f"{self.message}; {note}", self.cause, self.status)


class Transient(Exception):
    """A transient failure, worth a retry."""

    def __init__(self, error: AgentError, retry_after_sec: Optional[float] = None) -> None:
        super().__init__(error.message)
        self.error = error
        #: The delay that the server asked for, if any.
        self.retry_after_sec = retry_after_sec
