from __future__ import annotations

from random import random
from time import monotonic, sleep
from typing import Callable, Optional, TypeVar

from .._limits import limits
from .._log import log
from ._errors import AgentError, Transient

Result = TypeVar("Result")

_FIRST_DELAY_SEC = 1.0
_LONGEST_DELAY_SEC = 30.0


def with_retries(
    attempt: Callable[[float], Result], max_retries: int, deadline: Optional[float]
) -> Result:
    """Calls `attempt` with the seconds left, and retries transient failures."""
    end = monotonic() + limits().time_left_sec
    if deadline is not None:
        end = min(end, deadline)
    retries = 0
    while True:
        left = end - monotonic()
        if left <= 0:
            raise AgentError("timeout", "no time left to call the model")
        try:
            return attempt(left)
        except Transient as transient:
            failure = transient
        if retries == max_retries:
            error = failure.error
            raise error.noting(f"gave up after {retries + 1} tries") if retries else error
        delay = _delay(failure, retries)
        _check_time(failure.error, delay, end - monotonic())
        retries += 1
        log(f"{failure.error}; try {retries + 1} in {delay:.1f} s")
        sleep(delay)


def _delay(failure: Transient, retries: int) -> float:
    # Jitter on top of the server's delay too: all clients get the same one.
    jitter = random() * min(_LONGEST_DELAY_SEC, _FIRST_DELAY_SEC * 2.0**retries)
    return (failure.retry_after_sec or 0) + jitter


def _check_time(error: AgentError, delay: float, left: float) -> None:
    if delay >= left:
        raise error.noting(
            f"not retried: a delay of {delay:.1f} s"
            f" would exceed the {max(0.0, left):.1f} s left"
        )
