from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ._errors import AgentError
from ._types import (
    AssistantMessage,
    Message,
    ModelRequest,
    ModelResponse,
    Native,
    ToolCall,
    ToolResultMessage,
    Usage,
)

_PROVIDER = "anthropic"
_CACHED = {"cache_control": {"type": "ephemeral"}}

Block = dict[str, Any]


def to_wire(
    request: ModelRequest,
    model: str,
    max_tokens: int,
    temperature: Optional[float],
) -> dict[str, Any]:
    """The body of a call. What stays the same from call to call is marked for the cache."""
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": request.max_tokens or max_tokens,
        "messages": _cache_last(_turns(request.messages)),
    }
    if request.system:
        body["system"] = [{"type": "text", "text": request.system, **_CACHED}]
    if request.tools:
        tools = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in request.tools
        ]
        body["tools"] = [*tools[:-1], {**tools[-1], **_CACHED}]
    if request.temperature is not None or temperature is not None:
        body["temperature"] = temperature if request.temperature is None else request.temperature
    return body


def from_wire(answer: Any) -> ModelResponse:
    try:
        return _read(answer)
    except (AttributeError, KeyError, TypeError) as error:
        message = "the model's answer is not as Anthropic's API describes it"
        raise AgentError("agent", message, error) from error


def _turns(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Neighbours of one role become one turn: the results of all calls must stand in one."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if isinstance(message, AssistantMessage) else "user"
        blocks = _blocks(message)
        if not blocks:
            continue
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] = [*turns[-1]["content"], *blocks]
        else:
            turns.append({"role": role, "content": blocks})
    return turns


def _blocks(message: Message) -> list[Block]:
    if isinstance(message, ToolResultMessage):
        result: Block = {"type": "tool_result", "tool_use_id": message.tool_call_id}
        result["content"] = message.content
        return [{**result, "is_error": True} if message.is_error else result]
    text = [{"type": "text", "text": message.content}] if message.content.strip() else []
    if not isinstance(message, AssistantMessage):
        return text
    if message.native is not None and message.native.provider == _PROVIDER:
        return list(message.native.content)
    calls = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}
        for call in message.tool_calls
    ]
    return [*text, *calls]


def _cache_last(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not turns or turns[-1]["role"] != "user":
        return turns
    last = turns[-1]
    content = [*last["content"][:-1], {**last["content"][-1], **_CACHED}]
    return [*turns[:-1], {**last, "content": content}]


def _read(answer: Any) -> ModelResponse:
    if answer["stop_reason"] == "refusal":
        raise AgentError("agent", "the model declined to answer")
    # An empty text can't be sent back.
    blocks = [block for block in answer["content"] if block != {"type": "text", "text": ""}]
    cut = answer["stop_reason"] in ("max_tokens", "model_context_window_exceeded")
    content = "".join(block["text"] for block in blocks if block["type"] == "text")
    reasoning = "".join(block["thinking"] for block in blocks if block["type"] == "thinking")
    calls = [
        ToolCall(block["id"], block["name"], block["input"], _invalid(cut and block is blocks[-1]))
        for block in blocks
        if block["type"] == "tool_use"
    ]
    message = AssistantMessage(content, calls, reasoning, Native(_PROVIDER, blocks))
    stop_reason = "max_tokens" if cut else "tool_use" if calls else "complete"
    return ModelResponse(content, reasoning, calls, _usage(answer), stop_reason, message)


def _invalid(cut: bool) -> Optional[str]:
    return "the answer reached its token limit within this call" if cut else None


def _usage(answer: Any) -> Usage:
    usage = answer["usage"]
    cached = usage.get("cache_read_input_tokens")
    written = usage.get("cache_creation_input_tokens")
    return Usage(
        model=answer["model"],
        # They count only what has to do with no cache.
        input_tokens=usage["input_tokens"] + (cached or 0) + (written or 0),
        output_tokens=usage["output_tokens"],
        cached_tokens=cached,
        cache_write_tokens=written,
    )
