from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from term_sdk import Response

FOLDER = Path(__file__).parents[2] / "conformance"


def vectors(name: str) -> list[dict[str, Any]]:
    """The test vectors that every SDK must pass."""
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.rstrip("\n").split("\n")]


def build(calls: list[list[Any]]) -> Response:
    """Builds the response that a vector describes as calls."""
    response = Response()
    for method, *args in calls:
        if method == "with_usage":
            response = response.with_usage(**args[0])
        else:
            # On an instance, the class methods cmd, say and done start over.
            response = getattr(response, method)(*args)
    return response
