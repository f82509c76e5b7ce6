from __future__ import annotations

from typing import Any, NamedTuple, Optional

from ._claude_turns import native_turn, to_turns
from ._errors import AgentError
from ._types import AssistantMessage, ModelRequest, ModelResponse, ToolCall, Usage

_CACHED = {"cache_control": {"type": "ephemeral"}}


class Call(NamedTuple):
    body: dict[str, Any]
    #: Of everything before the response.
    fingerprint: str


def to_wire(
    request: ModelRequest,
    model: str,
    max_tokens: int,
    temperature: Optional[float],
    thinking: Optional[dict[str, Any]],
) -> Call:
    """Marks what stays the same between calls for the cache."""
    system = [{"type": "text", "text": request.system}] if request.system else []
    tools = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
        for tool in request.tools
    ]
    # Models with a thinking budget require their thinking, and don't check what came before it.
    keep_thinking = thinking is not None and thinking["type"] == "enabled"
    turns, fingerprint = to_turns(request.messages, [model, system, tools], keep_thinking)
    optional = {
        "system": _cache_last(system),
        "tools": _cache_last(tools),
        "temperature": temperature if request.temperature is None else request.temperature,
        "thinking": thinking,
    }
    body = {
        "model": model,
        "max_tokens": request.max_tokens or max_tokens,
        "messages": _cache_conversation(turns),
        **{name: value for name, value in optional.items() if value not in (None, [])},
    }
    return Call(body, fingerprint)


def from_wire(answer: Any, fingerprint: str) -> ModelResponse:
    try:
        return _read(answer, fingerprint)
    except (AttributeError, KeyError, TypeError) as error:
        message = "the model's response doesn't match Anthropic's API"
        raise AgentError("agent", message, error) from error


def _cache_conversation(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not turns or turns[-1]["role"] != "user":
        return turns
    return [*turns[:-1], {**turns[-1], "content": _cache_last(turns[-1]["content"])}]


def _cache_last(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*items[:-1], *({**item, **_CACHED} for item in items[-1:])]


def _read(answer: Any, fingerprint: str) -> ModelResponse:
    if answer["stop_reason"] == "refusal":
        raise AgentError("agent", "the model refused to answer")
    # An empty text can't be sent back.
    blocks = [block for block in answer["content"] if block["type"] != "text" or block["text"]]
    cut = answer["stop_reason"] in ("max_tokens", "model_context_window_exceeded")
    content = "".join(block["text"] for block in blocks if block["type"] == "text")
    reasoning = "\n".join(block["thinking"] for block in blocks if block["type"] == "thinking")
    calls = [
        ToolCall(block["id"], block["name"], block["input"], _invalid(cut and block is blocks[-1]))
        for block in blocks
        if block["type"] == "tool_use"
    ]
    message = AssistantMessage(content, calls, reasoning, native_turn(blocks, fingerprint))
    stop_reason = "max_tokens" if cut else "tool_use" if calls else "complete"
    return ModelResponse(content, reasoning, calls, _usage(answer), stop_reason, message)


def _invalid(cut: bool) -> Optional[str]:
    return "the response reached its token limit within this call" if cut else None


def _usage(answer: Any) -> Usage:
    usage = answer["usage"]
    cached = usage.get("cache_read_input_tokens")
    written = usage.get("cache_creation_input_tokens")
    return Usage(
        model=answer["model"],
        # The API's input_tokens excludes cached tokens.
        input_tokens=usage["input_tokens"] + (cached or 0) + (written or 0),
        output_tokens=usage["output_tokens"],
        cached_tokens=cached,
        cache_write_tokens=written,
    )
