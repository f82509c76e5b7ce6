from __future__ import annotations

from dataclasses import replace
from typing import Any, Optional

from ._claude_models import PRICES, context_tokens_of, thinks_adaptively
from ._claude_wire import from_wire, to_wire
from ._endpoint import Endpoint
from ._errors import AgentError
from ._price import Price, with_cost
from ._settings import (
    base_url_setting,
    key_setting,
    max_tokens_setting,
    number_setting,
    text_setting,
)
from ._types import ModelRequest, ModelResponse


class Claude:
    """A model over Anthropic's Messages API."""

    def __init__(
        self,
        model: Optional[str] = None,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        max_tokens: Optional[int] = None,
        temperature: Optional[float] = None,
        request_timeout_sec: float = 240,
        max_retries: int = 5,
        thinking_tokens: Optional[int] = None,
        price: Optional[Price] = None,
        context_tokens: Optional[int] = None,
    ) -> None:
        """Arguments that are None come from the environment, else from a default.

        `thinking_tokens` is part of `max_tokens`, for models that support a budget; the newest
        reject it. `request_timeout_sec` applies to each try.
        """
        self.name = text_setting(model, "TERM_MODEL") or "claude-sonnet-5-5"
        self.context_tokens = context_tokens or context_tokens_of(self.name)
        self._max_tokens = max_tokens_setting(max_tokens)
        self._temperature = number_setting(temperature, "TERM_MODEL_TEMPERATURE")
        self._thinking = _thinking(self.name, thinking_tokens, self._max_tokens)
        self._price = price
        base = base_url_setting(base_url, "ANTHROPIC_BASE_URL", "https://api.anthropic.com")
        base = base.removesuffix("/v1")
        key = key_setting(api_key, "Claude", "ANTHROPIC_API_KEY", base)
        headers = {"anthropic-version": "2023-06-01"}
        if key is not None:
            headers["x-api-key"] = key.value
        url = f"{base}/v1/messages"
        self._endpoint = Endpoint(url, headers, key, request_timeout_sec, max_retries)

    def __repr__(self) -> str:
        return f"Claude({self.name!r})"

    def run(self, request: ModelRequest, deadline: Optional[float] = None) -> ModelResponse:
        """One response, with retries; raises AgentError if there is none in time."""
        body, fingerprint = to_wire(
            request, self.name, self._max_tokens, self._temperature, self._thinking
        )
        response = from_wire(self._endpoint.call(body, deadline), fingerprint)
        price = self._price or PRICES.get(self.name)
        return replace(response, usage=with_cost(response.usage, price))


def _thinking(name: str, budget: Optional[int], max_tokens: int) -> Optional[dict[str, Any]]:
    if budget is None:
        # Such a model thinks anyway; this requests a summary.
        adaptive = {"type": "adaptive", "display": "summarized"}
        return adaptive if thinks_adaptively(name) else None
    if budget >= max_tokens:
        raise AgentError(
            "invalid", f"thinking_tokens ({budget}) must be less than max_tokens ({max_tokens})"
        )
    return {"type": "enabled", "budget_tokens": budget}
