from __future__ import annotations

import json
import uuid
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

_PROVIDER = "openai"
# Not part of OpenAI's own API; a server that sends them expects them back.
_REASONING = ("reasoning_content", "reasoning", "reasoning_details")


def to_wire(request: ModelRequest, model: str, temperature: Optional[float]) -> dict[str, Any]:
    system = [{"role": "system", "content": request.system}] if request.system else []
    messages = [*system, *(_message(message) for message in request.messages)]
    body: dict[str, Any] = {"model": model, "messages": messages}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters,
                },
            }
            for tool in request.tools
        ]
    if request.temperature is not None or temperature is not None:
        body["temperature"] = temperature if request.temperature is None else request.temperature
    return body


def from_wire(answer: Any) -> ModelResponse:
    try:
        return _read(answer)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        message = "the model's response doesn't match OpenAI's API"
        raise AgentError("agent", message, error) from error


def _message(message: Message) -> dict[str, Any]:
    if isinstance(message, ToolResultMessage):
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.content}
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if isinstance(message, AssistantMessage):
        if message.tool_calls:
            wire["tool_calls"] = [_call(call) for call in message.tool_calls]
        if message.native is not None and message.native.provider == _PROVIDER:
            wire.update(message.native.content)
    return wire


def _call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json.dumps(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _read(answer: Any) -> ModelResponse:
    choice = answer["choices"][0]
    if choice["finish_reason"] == "content_filter":
        raise AgentError("agent", "the provider's content filter blocked the response")
    message = choice["message"]
    content = message.get("content") or ""
    native = {name: message[name] for name in _REASONING if message.get(name)}
    reasoning = native.get("reasoning_content") or native.get("reasoning") or ""
    calls = [_read_call(call) for call in message.get("tool_calls") or ()]
    cut = choice["finish_reason"] == "length"
    return ModelResponse(
        content=content,
        reasoning=reasoning,
        tool_calls=calls,
        usage=_usage(answer),
        stop_reason="max_tokens" if cut else "tool_use" if calls else "complete",
        message=AssistantMessage(content, calls, reasoning, Native(_PROVIDER, native)),
    )


def _read_call(call: Any) -> ToolCall:
    function = call["function"]
    # Some servers omit it, but the result has to name its call.
    id = call.get("id") or f"call_{uuid.uuid4().hex}"
    try:
        arguments = json.loads(function.get("arguments") or "{}")
    except ValueError as error:
        return ToolCall(id, function["name"], {}, f"the arguments aren't valid JSON: {error}")
    if not isinstance(arguments, dict):
        return ToolCall(id, function["name"], {}, "the arguments aren't a JSON object")
    return ToolCall(id, function["name"], arguments)


def _usage(answer: Any) -> Usage:
    usage = answer.get("usage") or {}
    details = usage.get("prompt_tokens_details") or {}
    return Usage(
        model=answer["model"],
        input_tokens=usage.get("prompt_tokens"),
        output_tokens=usage.get("completion_tokens"),
        cached_tokens=details.get("cached_tokens"),
        cache_write_tokens=details.get("cache_write_tokens"),
        # OpenRouter reports the cost.
        cost_usd=usage.get("cost"),
    )
