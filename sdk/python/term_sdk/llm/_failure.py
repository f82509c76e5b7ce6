from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Optional

from ._errors import AgentError, Transient


def failure_of(status: int, headers: Mapping[str, str], body: bytes, key_hint: str) -> Exception:
    """Classifies an HTTP status other than 200."""
    message = f"the model's server responded with {status}: {_message_in(body)}"
    if status in (401, 403):
        message = f"{message} ({key_hint})"
    error = AgentError(_kind_of(status), message, status=status)
    if status in (408, 409, 429) or status >= 500:
        return Transient(error, _retry_after(headers))
    return error


def _kind_of(status: int) -> str:
    if status == 429:
        return "rate_limit"
    return "agent" if status in (408, 409) or status >= 500 else "invalid"


def _message_in(body: bytes) -> str:
    text = body.decode("utf-8", "replace").strip()
    try:
        return str(_error_text(json.loads(text)))
    except (ValueError, KeyError, TypeError):
        return text[:300] or "no reason given"


def _error_text(answer: Any) -> Any:
    error = answer["error"]
    return error if isinstance(error, str) else error["message"]


def _retry_after(headers: Mapping[str, str]) -> Optional[float]:
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    return _seconds_until(value) if seconds is None else seconds


def _number(value: Optional[str]) -> Optional[float]:
    return float(value) if value and re.fullmatch(r"\d+(\.\d+)?", value.strip()) else None


def _seconds_until(value: Optional[str]) -> Optional[float]:
    try:
        moment = parsedate_to_datetime(value or "")
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())
