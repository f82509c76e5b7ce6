from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Optional

from ._truncate import truncate_middle
from ._types import AssistantMessage, Message, ToolResultMessage, Usage

# Characters kept of a shortened result.
_KEPT_CHARACTERS = 400


class History:
    """A conversation kept within the model's context window."""

    def __init__(self, context_tokens: Optional[int], preamble: str) -> None:
        self.messages: list[Message] = []
        self._context_tokens = context_tokens
        self._preamble_bytes = _bytes_of(preamble)
        # A conservative guess, until the first response shows the real ratio.
        self._tokens_per_byte = 1 / 3

    def append(self, message: Message) -> None:
        self.messages.append(message)

    def learn(self, usage: Usage) -> None:
        """Call it with a response's usage, before appending the response."""
        if usage.input_tokens:
            self._tokens_per_byte = usage.input_tokens / self._bytes()

    def fit(self) -> None:
        """Shortens the oldest results once the window is three quarters full.

        Shortens down to half at once: each change invalidates the provider's cache.
        """
        if self._context_tokens is None or self._tokens() <= self._context_tokens * 3 / 4:
            return
        for index, result in self._older_results():
            content = truncate_middle(result.content, _KEPT_CHARACTERS, "an older result")
            self.messages[index] = replace(result, content=content)
            if self._tokens() <= self._context_tokens / 2:
                return

    def _older_results(self) -> Iterator[tuple[int, ToolResultMessage]]:
        """Those that the model has already seen, and that aren't short."""
        turns = [i for i, message in enumerate(self.messages) if _is_turn(message)]
        for index, message in enumerate(self.messages[: turns[-1] if turns else 0]):
            long = len(message.content) > 2 * _KEPT_CHARACTERS
            if isinstance(message, ToolResultMessage) and long:
                yield index, message

    def _tokens(self) -> float:
        return self._bytes() * self._tokens_per_byte

    def _bytes(self) -> int:
        return self._preamble_bytes + sum(map(_size_of, self.messages))


def _is_turn(message: Message) -> bool:
    return isinstance(message, AssistantMessage)


def _size_of(message: Message) -> int:
    size = _bytes_of(message.content)
    if isinstance(message, AssistantMessage):
        size += sum(_bytes_of(json.dumps(call.arguments)) for call in message.tool_calls)
    return size


def _bytes_of(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
