from __future__ import annotations

from typing import Optional

from ._price import Price

_MILLION = 1_000_000
_OPUS_4 = Price(5, 25, cache_read=0.5, cache_write=6.25)
_SONNET_4 = Price(3, 15, cache_read=0.3, cache_write=3.75)
_HAIKU_4 = Price(1, 5, cache_read=0.1, cache_write=1.25)

#: Public list prices as of November 2026, with five-minute cache writes.
#: Models whose price depends on the prompt's length are omitted.
PRICES = {
    "claude-opus-5-5": Price(4, 20, cache_read=0.2, cache_write=5),
    "claude-sonnet-5-5": Price(2, 10, cache_read=0.1, cache_write=2.5),
    "claude-opus-5": Price(5, 25, cache_read=0.5, cache_write=6.25),
    "claude-sonnet-5": Price(2, 10, cache_read=0.2, cache_write=2.5),
    "claude-opus-4-6": _OPUS_4,
    "claude-opus-4-5": _OPUS_4,
    "claude-opus-4-5-20251101": _OPUS_4,
    "claude-sonnet-4-6": _SONNET_4,
    "claude-sonnet-4-5": _SONNET_4,
    "claude-sonnet-4-5-20250929": _SONNET_4,
    "claude-haiku-4-5": _HAIKU_4,
    "claude-haiku-4-5-20251001": _HAIKU_4,
}

# Models with a context window of a million tokens that decide how much to think.
_ADAPTIVE = {
    "claude-sonnet-5-5",
    "claude-opus-5-5",
    "claude-haiku-5-5",
    "claude-sonnet-5",
    "claude-opus-5",
}


def thinks_adaptively(name: str) -> bool:
    return name in _ADAPTIVE


def context_tokens_of(name: str) -> Optional[int]:
    return _MILLION if thinks_adaptively(name) else None
