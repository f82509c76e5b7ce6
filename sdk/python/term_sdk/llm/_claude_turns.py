from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from ._types import AssistantMessage, Message, Native, ToolResultMessage

_PROVIDER = "claude"

Block = dict[str, Any]


class Turns(NamedTuple):
    turns: list[dict[str, Any]]
    #: Of everything before the response.
    fingerprint: str


def to_turns(messages: Sequence[Message], start: Any, keep_thinking: bool) -> Turns:
    """Adjacent messages of one role become one turn: all results must be in one turn.

    Claude accepts its thinking only after the exact messages that led to it. So each turn keeps
    a fingerprint of those; if they were shortened since, its thinking isn't sent.
    """
    turns: list[dict[str, Any]] = []
    past = hashlib.sha256(json.dumps(start).encode())
    for message in messages:
        role = "assistant" if isinstance(message, AssistantMessage) else "user"
        native = message.native if isinstance(message, AssistantMessage) else None
        if native is not None and native.provider == _PROVIDER:
            blocks = _own_blocks(native.content, keep_thinking, past.hexdigest())
        else:
            blocks = _blocks(message)
        if blocks and turns and turns[-1]["role"] == role:
            turns[-1]["content"].extend(blocks)
        elif blocks:
            turns.append({"role": role, "content": list(blocks)})
        past.update(json.dumps([role, *blocks]).encode())
    return Turns(turns, past.hexdigest())


def native_turn(blocks: list[Block], fingerprint: str) -> Native:
    return Native(_PROVIDER, {"blocks": blocks, "fingerprint": fingerprint})


def _own_blocks(turn: Any, keep_thinking: bool, past: str) -> list[Block]:
    blocks: list[Block] = turn["blocks"]
    if keep_thinking or turn["fingerprint"] == past:
        return blocks
    return [block for block in blocks if block["type"] not in ("thinking", "redacted_thinking")]


def _blocks(message: Message) -> list[Block]:
    if isinstance(message, ToolResultMessage):
        result: Block = {"type": "tool_result", "tool_use_id": message.tool_call_id}
        result["content"] = message.content
        return [{**result, "is_error": True} if message.is_error else result]
    # The API rejects an empty text.
    text: list[Block] = []
    if message.content.strip():
        text.append({"type": "text", "text": message.content})
    if not isinstance(message, AssistantMessage):
        return text
    calls = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}
        for call in message.tool_calls
    ]
    return [*text, *calls]
