from __future__ import annotations

from typing import Optional

from .._response import Usage as StepUsage
from ._types import Usage


class PendingUsage:
    """Usage of the model calls since the last step."""

    def __init__(self) -> None:
        self._calls: list[Usage] = []

    def add(self, usage: Usage) -> None:
        self._calls.append(usage)

    def take(self) -> Optional[StepUsage]:
        """Returns and resets the sum; None if there was no call."""
        calls, self._calls = self._calls, []
        if not calls:
            return None
        costs = [call.cost_usd for call in calls]
        known_costs = [cost for cost in costs if cost is not None]
        return {
            "model": calls[-1].model,
            "input_tokens": _sum([call.input_tokens for call in calls]),
            "output_tokens": _sum([call.output_tokens for call in calls]),
            "cached_tokens": _sum([call.cached_tokens for call in calls]),
            # A partial cost would look like the total.
            "cost_usd": sum(known_costs) if len(known_costs) == len(costs) else None,
        }


def _sum(counts: list[Optional[int]]) -> Optional[int]:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
