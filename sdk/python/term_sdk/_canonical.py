from __future__ import annotations

import json
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any


def write_canonical(value: Any) -> str:
    """Canonical JSON (RFC 8785), the same bytes in every language: sorted keys, no spaces,
    numbers as ECMAScript writes them."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return json.dumps(_well_formed(value), ensure_ascii=False)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return _write_float(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(write_canonical(item) for item in value)}]"
    if isinstance(value, Mapping):
        members = (f"{_write_key(key)}:{write_canonical(value[key])}" for key in _sorted(value))
        return f"{{{','.join(members)}}}"
    raise TypeError(f"JSON can't represent a {type(value).__name__}")


def _sorted(value: Mapping[str, Any]) -> list[str]:
    return sorted(value, key=lambda key: str(key).encode("utf-16-be", "surrogatepass"))


def _write_key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a JSON key must be a string, not a {type(key).__name__}")
    return write_canonical(key)


def _well_formed(text: str) -> str:
    """A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _write_float(value: float) -> str:
    if not math.isfinite(value):
        return "null"
    if value == 0:
        return "0"
    # repr has the shortest digits that read back the same; only their layout differs.
    number = Decimal(repr(float(value))).as_tuple()
    sign = "-" if number.sign else ""
    digits = "".join(map(str, number.digits))
    point = len(digits) + int(number.exponent)
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"
