from __future__ import annotations

from dataclasses import replace
from typing import Optional
from urllib.parse import urlsplit

from ._endpoint import Endpoint
from ._errors import AgentError
from ._openai_wire import from_wire, to_wire
from ._price import Price, with_cost
from ._settings import (
    base_url_setting,
    key_setting,
    max_tokens_setting,
    number_setting,
    text_setting,
)
from ._types import ModelRequest, ModelResponse


class OpenAICompatible:
    """A model over the Chat Completions API: OpenAI, OpenRouter, vLLM, Ollama and the like."""

    def __init__(
        self,
        model: Optional[str] = None,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        max_tokens: Optional[int] = None,
        temperature: Optional[float] = None,
        request_timeout_sec: float = 240,
        max_retries: int = 5,
        price: Optional[Price] = None,
        context_tokens: Optional[int] = None,
    ) -> None:
        """Arguments that are None come from the environment, else from a default; `model` has none.

        `request_timeout_sec` applies to each try.
        """
        name = text_setting(model, "TERM_MODEL")
        if name is None:
            raise AgentError("invalid", "no model set: pass model, or set TERM_MODEL")
        self.name = name
        self.context_tokens = context_tokens
        self._max_tokens = max_tokens_setting(max_tokens)
        self._temperature = number_setting(temperature, "TERM_MODEL_TEMPERATURE")
        self._price = price
        base = base_url_setting(base_url, "OPENAI_BASE_URL", "https://api.openai.com/v1")
        # OpenAI's newer models reject the older name, which other servers still expect.
        own = urlsplit(base).hostname == "api.openai.com"
        self._limit_name = "max_completion_tokens" if own else "max_tokens"
        key = key_setting(api_key, "the model's server", "OPENAI_API_KEY", base)
        headers = {} if key is None else {"authorization": f"Bearer {key.value}"}
        url = f"{base}/chat/completions"
        self._endpoint = Endpoint(url, headers, key, request_timeout_sec, max_retries)

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.name!r})"

    def run(self, request: ModelRequest, deadline: Optional[float] = None) -> ModelResponse:
        """One response, with retries; raises AgentError if there is none in time."""
        body = to_wire(request, self.name, self._temperature)
        body[self._limit_name] = request.max_tokens or self._max_tokens
        response = from_wire(self._endpoint.call(body, deadline))
        return replace(response, usage=with_cost(response.usage, self._price))
