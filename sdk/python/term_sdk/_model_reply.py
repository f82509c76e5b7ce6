from __future__ import annotations

import json
from typing import Any, Optional

from ._request import refuse_constant

# Not strict: models write raw line breaks inside strings.
_DECODER = json.JSONDecoder(strict=False, parse_constant=refuse_constant)


def read_model_reply(reply: str) -> Optional[dict[str, Any]]:
    """The first JSON object in a model's reply that is an answer. Not a later one: a model
    that continues after its command has invented that command's output."""
    # Skip a reasoning model's thinking.
    said = reply.rpartition("</think>")[2]
    start = said.find("{")
    while start >= 0:
        answer = _as_answer(_object_at(said, start))
        if answer is not None:
            return answer
        start = said.find("{", start + 1)
    return None


def _object_at(text: str, start: int) -> dict[str, Any]:
    try:
        value: dict[str, Any] = _DECODER.raw_decode(text, start)[0]
        return value
    except (ValueError, RecursionError):
        return {}


def _as_answer(fields: dict[str, Any]) -> Optional[dict[str, Any]]:
    """`data` is deliberately dropped: a model must not report its own cost."""
    command = fields.get("command")
    if command is not None and not isinstance(command, str):
        return None
    complete = fields.get("task_complete")
    if not command and "command" not in fields and not isinstance(complete, bool):
        return None
    text = fields.get("text")
    return {
        # Models write "" for no command.
        "command": command or None,
        "task_complete": complete is True,
        "text": text if isinstance(text, str) else None,
    }
