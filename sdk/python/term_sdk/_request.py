from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn, Optional, Pattern, Union


@dataclass(frozen=True)
class Request:
    """What the runner sends the agent at each step."""

    instruction: str
    #: Starts at 1.
    step: int = 1
    last_command: Optional[str] = None
    output: Optional[str] = None
    exit_code: Optional[int] = None
    cwd: str = ""
    #: Set only when a request is repeated: what was wrong with the previous response.
    error: Optional[str] = None

    @classmethod
    def parse(cls, line: str) -> Request:
        """Parses one protocol line. Raises ValueError if it isn't a request."""
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
        """The last command exited with code 0."""
        return self.exit_code == 0

    @property
    def failed(self) -> bool:
        """The last command exited with another code. False, like `ok`, if none ran."""
        return self.exit_code is not None and self.exit_code != 0

    def has(self, *patterns: str) -> bool:
        """True if the output contains any of the patterns, taken literally."""
        return has_any(self.output, patterns)

    def match(self, regex: Union[str, Pattern[str]]) -> Optional[re.Match[str]]:
        """The first match anywhere in the output."""
        return first_match(self.output, regex)


def has_any(output: Optional[str], patterns: tuple[str, ...]) -> bool:
    return output is not None and any(pattern in output for pattern in patterns)


def first_match(output: Optional[str], regex: Union[str, Pattern[str]]) -> Optional[re.Match[str]]:
    return None if output is None else re.search(regex, output)


def refuse_constant(name: str) -> NoReturn:
    """Python accepts NaN and Infinity, which aren't JSON."""
    raise ValueError(f"{name} is not JSON")


def _optional(fields: dict[str, Any], name: str, kind: type) -> Any:
    value = fields.get(name)
    # True and False are integers in Python, but not in JSON.
    if value is None or (isinstance(value, kind) and not isinstance(value, bool)):
        return value
    raise ValueError(f"the request's {name} has the wrong type")


def _required(fields: dict[str, Any], name: str, kind: type) -> Any:
    value = _optional(fields, name, kind)
    if value is None:
        raise ValueError(f"the request has no {name}")
    return value
