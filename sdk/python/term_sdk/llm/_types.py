from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Protocol, Union

from ._tool import Tool


class Model(Protocol):
    """A large language model of any provider. Stateless between calls."""

    @property
    def name(self) -> str:
        """The provider's name for it."""

    @property
    def context_tokens(self) -> Optional[int]:
        """Context window: tokens of a request and its response together; None if unknown."""

    def run(self, request: ModelRequest, deadline: Optional[float] = None) -> ModelResponse:
        """Raises AgentError. The deadline is a time.monotonic() value."""


@dataclass(frozen=True)
class ToolCall:
    id: str
    name: str
    arguments: Mapping[str, Any]
    #: Why the arguments are invalid, such as JSON that doesn't parse.
    invalid: Optional[str] = None


@dataclass(frozen=True)
class Native:
    """A turn in the provider's own format, for data that only this provider understands."""

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
    #: Maximum tokens in the response; the model's own setting if None.
    max_tokens: Optional[int] = None
    temperature: Optional[float] = None


@dataclass(frozen=True)
class Usage:
    #: The model that responded.
    model: str
    #: The whole request: uncached, read from the cache and written to it; None if not reported.
    input_tokens: Optional[int]
    #: None if not reported.
    output_tokens: Optional[int]
    #: Of the input tokens, those read from the provider's cache; None if not reported.
    cached_tokens: Optional[int] = None
    #: Of the input tokens, those written to the provider's cache; None if not reported.
    cache_write_tokens: Optional[int] = None
    #: None if the price is unknown.
    cost_usd: Optional[float] = None


@dataclass(frozen=True)
class ModelResponse:
    content: str
    #: The model's thinking, if the provider returns it.
    reasoning: str
    tool_calls: Sequence[ToolCall]
    usage: Usage
    #: complete, tool_use or max_tokens.
    stop_reason: str
    #: The turn to append to the conversation before the tool results.
    message: AssistantMessage
