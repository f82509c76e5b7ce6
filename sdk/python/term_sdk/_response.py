from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Optional, TypedDict

from ._canonical import write_canonical
from ._model_reply import read_model_reply


class Usage(TypedDict, total=False):
    """What a step cost. The runner sums it up over the trial."""

    model: Optional[str]
    input_tokens: Optional[int]
    output_tokens: Optional[int]
    cost_usd: Optional[float]
    #: Of the input tokens, those read from the provider's cache.
    cached_tokens: Optional[int]


@dataclass(frozen=True)
class Response:
    """The agent's response to one request. Immutable: each `with_…` returns a new one."""

    command: Optional[str] = None
    task_complete: bool = False
    text: Optional[str] = None
    data: Optional[Mapping[str, Any]] = None

    @classmethod
    def cmd(cls, command: str, text: Optional[str] = None) -> Response:
        """Run this command in the terminal."""
        return cls(command=command, text=text)

    @classmethod
    def say(cls, text: str) -> Response:
        """An idle step: only text for the log. The runner ends a trial after a few in a row."""
        return cls(text=text)

    @classmethod
    def done(cls, text: Optional[str] = None) -> Response:
        """The task is finished."""
        return cls(task_complete=True, text=text)

    @classmethod
    def from_llm(cls, reply: str) -> Response:
        """Extracts the JSON answer from a model's reply, ignoring prose and code fences around it.

        Without one the response is an idle step (`idle` is true), so you can ask the model again.
        """
        answer = read_model_reply(reply)
        if answer is None:
            return cls.say("No JSON answer found in the model's reply.")
        return cls(**answer)

    @classmethod
    def of(cls, value: object) -> Response:
        """Validates a response, or a dict in wire format."""
        if isinstance(value, Mapping):
            fields = {name: value.get(name) for name in ("command", "text", "data")}
            value = cls(task_complete=value.get("task_complete", False), **fields)
        if not isinstance(value, Response):
            raise TypeError(f"solve must return a Response, not {type(value).__name__}")
        _check("command", value.command, str, type(None))
        _check("task_complete", value.task_complete, bool)
        _check("text", value.text, str, type(None))
        _check("data", value.data, Mapping, type(None))
        return value

    @property
    def idle(self) -> bool:
        """Neither a command nor completion."""
        return self.command is None and not self.task_complete

    def with_text(self, text: str) -> Response:
        return replace(self, text=text)

    def with_data(self, data: Mapping[str, Any]) -> Response:
        """Adds fields to `data`, keeping those already set."""
        return replace(self, data={**(self.data or {}), **data})

    def with_usage(
        self,
        model: Optional[str] = None,
        input_tokens: Optional[int] = None,
        output_tokens: Optional[int] = None,
        cost_usd: Optional[float] = None,
        cached_tokens: Optional[int] = None,
    ) -> Response:
        usage = {
            "model": model,
            "input_tokens": input_tokens,
            "output_tokens": output_tokens,
            "cost_usd": cost_usd,
            "cached_tokens": cached_tokens,
        }
        return self.with_data({"usage": {k: v for k, v in usage.items() if v is not None}})

    def complete(self) -> Response:
        """The same response, with the task finished once its command, if any, has run."""
        return replace(self, task_complete=True)

    def to_line(self) -> str:
        """The wire format without the newline. The same in every SDK."""
        # The four fields keep the protocol's order; only keys inside data are sorted.
        fields: dict[str, Any] = {"command": self.command, "task_complete": self.task_complete}
        optional = {"text": self.text, "data": self.data}
        fields.update({name: value for name, value in optional.items() if value is not None})
        members = (f'"{name}":{write_canonical(value)}' for name, value in fields.items())
        return f"{{{','.join(members)}}}"


def _check(name: str, value: object, *kinds: type) -> None:
    if not isinstance(value, kinds):
        raise TypeError(f"the response's {name} has the wrong type: {type(value).__name__}")
