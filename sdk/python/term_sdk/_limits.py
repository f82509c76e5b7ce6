from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Optional

# The SDK is loaded when the agent starts.
_STARTED = time.monotonic()


@dataclass(frozen=True)
class Limits:
    """The task's limits. None if the runner set none, or outside a runner."""

    task: Optional[str]
    attempt: Optional[int]
    max_steps: Optional[int]
    agent_timeout_sec: Optional[float]
    step_timeout_sec: Optional[float]
    command_timeout_sec: Optional[float]

    @property
    def elapsed_sec(self) -> float:
        """Seconds since the agent started."""
        return time.monotonic() - _STARTED

    @property
    def time_left_sec(self) -> float:
        """The agent's remaining time; math.inf without a limit, never below 0."""
        total = math.inf if self.agent_timeout_sec is None else self.agent_timeout_sec
        return max(0.0, total - self.elapsed_sec)


def limits(env: Mapping[str, str] = os.environ) -> Limits:
    return Limits(
        task=env.get("TERM_TASK") or None,
        attempt=_whole(env.get("TERM_ATTEMPT")),
        max_steps=_whole(env.get("TERM_MAX_STEPS")),
        agent_timeout_sec=_number(env.get("TERM_AGENT_TIMEOUT_SEC")),
        step_timeout_sec=_number(env.get("TERM_STEP_TIMEOUT_SEC")),
        command_timeout_sec=_number(env.get("TERM_COMMAND_TIMEOUT_SEC")),
    )


def _number(value: Optional[str]) -> Optional[float]:
    """Anything but a plain decimal number counts as unset."""
    return float(value) if value and re.fullmatch(r"[0-9]+(\.[0-9]+)?", value) else None


def _whole(value: Optional[str]) -> Optional[int]:
    return int(value) if value and re.fullmatch(r"[0-9]+", value) else None
