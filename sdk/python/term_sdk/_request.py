from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn, Optional, Pattern, Union


@dataclass(frozen=True)
class Request:
    """What the runner tells the agent at each step."""

    instruction: str
    #: Starts at 1.
    step: int = 1
    last_command: Optional[str] = None
    output: Optional[str] = None
    exit_code: Optional[int] = None
    cwd: str = ""
    #: Set on a second chance only: what was wrong with the previous answer.
    error: Optional[str] = None

    @classmethod
    def parse(cls, line: str) -> Request:
        """Reads one line of the protocol. Raises ValueError when it is not a request."""
        fields = json.loads(line, parse_constant=refuse_constant)
        if not isinstance(fields, dict):
            raise ValueError("a request must be a JSON object")
        return cls(
            instruction=_required(fields, "instruction", str),
            step=_required(fields, "step", int),
            last_command=_optional(fields, "last_command", str),
            output=_optional(fields, "output", str),
            exit_code=_optional(fields, "exit_code", int),
            cwd=_optional(fields, "cwd", str) or "",
            error=_optional(fields, "error", str),
        )

    @property
    def first(self) -> bool:
        return self.step == 1

    @property
    def ok(self) -> bool:
        """The last command ended with exit code 0."""
        return self.exit_code == 0

    @property
    def failed(self) -> bool:
        """The last command ended with another exit code. Neither ok nor failed when none ran."""
        return self.exit_code is not None and self.exit_code != 0

    def has(self, *patterns: str) -> bool:
        """True when the output contains any of the patterns, as they are written."""
        return has_any(self.output, patterns)

    def match(self, regex: Union[str, Pattern[str]]) -> Optional[re.Match[str]]:
        """The first match anywhere in the output."""
        return first_match(self.output, regex)


def has_any(output: Optional[str], patterns: tuple[str, ...]) -> bool:
    return output is not None and any(pattern in output for pattern in patterns)


def first_match(output: Optional[str], regex: Union[str, Pattern[str]]) -> Optional[re.Match[str]]:
    return None if output is None else re.search(regex, output)


def refuse_constant(name: str) -> NoReturn:
    """Python reads NaN and Infinity, which JSON does not have."""
    raise ValueError(f"{name} is not JSON")


def _optional(fields: dict[str, Any], name: str, kind: type) -> Any:
    value = fields.get(name)
    # True and False are integers to Python, but not to JSON.
    if value is None or (isinstance(value, kind) and not isinstance(value, bool)):
        return value
    raise ValueError(f"the request's {name} has the wrong type")


def _required(fields: dict[str, Any], name: str, kind: type) -> Any:
    value = _optional(fields, name, kind)
    if value is None:
        raise ValueError(f"the request has no {name}")
    return value
