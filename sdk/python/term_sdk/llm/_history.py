from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Optional

from ._cut import cut_middle
from ._types import AssistantMessage, Message, ToolResultMessage, Usage

# What is left of an older result.
_KEPT_CHARACTERS = 400


class History:
    """A conversation that is kept within the model's window."""

    def __init__(self, context_tokens: Optional[int], preamble: str) -> None:
        self.messages: list[Message] = []
        self._context_tokens = context_tokens
        self._preamble_bytes = _bytes_of(preamble)
        # A careful guess, until the first answer tells.
        self._tokens_per_byte = 1 / 3

    def append(self, message: Message) -> None:
        self.messages.append(message)

    def learn(self, usage: Usage) -> None:
        """Call it with the usage of an answer before the answer is appended."""
        if usage.input_tokens:
            self._tokens_per_byte = usage.input_tokens / self._bytes()

    def fit(self) -> None:
        """Shortens the oldest results once the window is three quarters full.

        Then down to half at once: each change of the past costs the provider's cache.
        """
        if self._context_tokens is None or self._tokens() <= self._context_tokens * 3 / 4:
            return
        for index, result in self._older_results():
            content = cut_middle(result.content, _KEPT_CHARACTERS, "an older result, to save room,")
            self.messages[index] = replace(result, content=content)
            if self._tokens() <= self._context_tokens / 2:
                return

    def _older_results(self) -> Iterator[tuple[int, ToolResultMessage]]:
        """Those that the model has answered to, and that are not short already."""
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
