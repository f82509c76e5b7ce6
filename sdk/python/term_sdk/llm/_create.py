from __future__ import annotations

from typing import Any, Optional

from ._claude import Claude
from ._errors import AgentError
from ._openai import OpenAICompatible
from ._settings import text_setting
from ._types import Model


def create_model(provider: Optional[str] = None, **options: Any) -> Model:
    """The model set by TERM_MODEL_PROVIDER (claude or openai) and the other variables."""
    name = text_setting(provider, "TERM_MODEL_PROVIDER") or "claude"
    if name == "claude":
        return Claude(**options)
    if name == "openai":
        return OpenAICompatible(**options)
    raise AgentError("invalid", f"unknown provider: {name}; use claude or openai")
