from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Optional

from ._errors import AgentError, Transient
from ._failure import failure_of
from ._http import Answer, post
from ._retry import with_retries
from ._settings import ApiKey


class Endpoint:
    """A provider's JSON endpoint."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        key: Optional[ApiKey],
        timeout_sec: float,
        max_retries: int,
    ) -> None:
        # Some servers reject the default user agent of Python's library.
        self._headers = {"content-type": "application/json", "user-agent": "term-sdk", **headers}
        self._url = url
        self._key = key
        self._timeout_sec = timeout_sec
        self._max_retries = max_retries

    def call(self, body: Mapping[str, Any], deadline: Optional[float]) -> Any:
        text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        return with_retries(lambda left: self._attempt(text, left), self._max_retries, deadline)

    def _attempt(self, body: bytes, left_sec: float) -> Any:
        answer = post(self._url, self._headers, body, min(self._timeout_sec, left_sec))
        if answer.status != 200:
            raise self._failure(answer.status, answer.headers, answer.body)
        try:
            value = json.loads(answer.body)
        except ValueError as error:
            raise _not_json(answer, error) from error
        # Gateways report a provider's failure in a response with status 200.
        if isinstance(value, dict) and isinstance(value.get("error"), dict):
            code = value["error"].get("code")
            status = code if isinstance(code, int) and code >= 400 else 500
            raise self._failure(status, answer.headers, answer.body)
        return value

    def _failure(self, status: int, headers: Mapping[str, str], body: bytes) -> Exception:
        if self._key is None:
            return failure_of(status, headers, body, "no API key was sent")
        body = body.replace(self._key.value.encode(), b"[redacted]")
        return failure_of(status, headers, body, f"the API key is from {self._key.source}")


def _not_json(answer: Answer, cause: ValueError) -> Exception:
    kind = answer.headers.get("content-type", "")
    if "json" in kind:
        message = "the model's response isn't valid JSON"
        return Transient(AgentError("network", message, cause))
    message = f"the model's server sent {kind or 'something'} instead of JSON"
    return AgentError("agent", f"{message}; check the base URL", cause, answer.status)
