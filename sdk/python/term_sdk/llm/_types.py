from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Protocol, Union

from ._tool import Tool


class Model(Protocol):
    """A large language model, whoever serves it. It keeps nothing between calls."""

    @property
    def name(self) -> str:
        """As the provider names it."""

    @property
    def context_tokens(self) -> Optional[int]:
        """Tokens that a request and its answer may have together; None when unknown."""

    def run(self, request: ModelRequest, deadline: Optional[float] = None) -> ModelResponse:
        """Raises AgentError. The deadline is a moment of time.monotonic()."""


@dataclass(frozen=True)
class ToolCall:
    id: str
    name: str
    arguments: Mapping[str, Any]
    #: Why the arguments can't be used, such as JSON that doesn't parse.
    invalid: Optional[str] = None


@dataclass(frozen=True)
class Native:
    """A turn in the provider's own form, for what only that provider understands."""

    provider: str
    content: Any


@dataclass(frozen=True)
class UserMessage:
    content: str
    role: str = field(default="user", init=False)


@dataclass(frozen=True)
class AssistantMessage:
    content: str
    tool_calls: Sequence[ToolCall] = ()
    reasoning: str = ""
    native: Optional[Native] = None
    role: str = field(default="assistant", init=False)


@dataclass(frozen=True)
class ToolResultMessage:
    tool_call_id: str
    content: str
    is_error: bool = False
    role: str = field(default="tool_result", init=False)


Message = Union[UserMessage, AssistantMessage, ToolResultMessage]


@dataclass(frozen=True)
class ModelRequest:
    messages: Sequence[Message]
    system: Optional[str] = None
    tools: Sequence[Tool] = ()
    #: The most tokens that the answer may have; the model's own setting when None.
    max_tokens: Optional[int] = None
    temperature: Optional[float] = None


@dataclass(frozen=True)
class Usage:
    #: The model that answered.
    model: str
    #: The whole request: fresh, read from the cache and written to it; None when not told.
    input_tokens: Optional[int]
    #: None when the server doesn't tell.
    output_tokens: Optional[int]
    #: Of the input tokens, those read from the provider's cache; None where it doesn't say.
    cached_tokens: Optional[int] = None
    #: Of the input tokens, those written to the provider's cache; None where it doesn't say.
    cache_write_tokens: Optional[int] = None
    #: None when no price is known.
    cost_usd: Optional[float] = None


@dataclass(frozen=True)
class ModelResponse:
    content: str
    #: The model's thinking, where the provider shows it.
    reasoning: str
    tool_calls: Sequence[ToolCall]
    usage: Usage
    #: complete, tool_use or max_tokens.
    stop_reason: str
    #: The turn to append to the conversation before the tools' results.
    message: AssistantMessage
