from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional

from ._types import Usage


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float
    #: For input read from the provider's cache; the input price if None.
    cache_read: Optional[float] = None
    #: For input written to the provider's cache; the input price if None.
    cache_write: Optional[float] = None


def with_cost(usage: Usage, price: Optional[Price]) -> Usage:
    """The same usage with its cost, if price and counts are known: never a guess."""
    if price is None or usage.input_tokens is None or usage.output_tokens is None:
        return usage
    cached = usage.cached_tokens or 0
    written = usage.cache_write_tokens or 0
    cost = (
        (usage.input_tokens - cached - written) * price.input
        + cached * (price.input if price.cache_read is None else price.cache_read)
        + written * (price.input if price.cache_write is None else price.cache_write)
        + usage.output_tokens * price.output
    )
    return replace(usage, cost_usd=cost / 1_000_000)
