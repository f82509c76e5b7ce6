from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Callable, Optional, Union, get_args, get_origin, get_type_hints


@dataclass(frozen=True)
class Tool:
    """A function that the model can call."""

    name: str
    #: For the model: what it does and when to use it.
    description: str
    #: JSON Schema of the arguments.
    parameters: Mapping[str, Any]
    #: A string is sent to the model as it is, anything else as JSON, an exception as an error.
    execute: Callable[[Mapping[str, Any]], Any]


def tool(function: Callable[..., Any]) -> Tool:
    """Turns a function into a tool: its name, its docstring, and a schema from its annotations."""
    description = inspect.getdoc(function)
    if not description:
        raise TypeError(f"{function.__name__} needs a docstring: it tells the model what it does")
    return Tool(
        name=function.__name__,
        description=description,
        parameters=_schema_of_arguments(function),
        execute=lambda arguments: function(**arguments),
    )


def _schema_of_arguments(function: Callable[..., Any]) -> dict[str, Any]:
    hints = get_type_hints(function)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise TypeError(f"{function.__name__}: a model can't pass {parameter}")
        properties[name] = _schema_of(hints.get(name, Any))
        if parameter.default is parameter.empty:
            required.append(name)
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object"}


def _schema_of(hint: Any) -> dict[str, Any]:
    if hint is Any:
        return {}
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind is Union and type(None) in inner:
        return _schema_of(Union[tuple(part for part in inner if part is not type(None))])
    if kind is list:
        return {"type": "array", "items": _schema_of(inner[0] if inner else Any)}
    name: Optional[str] = _NAMES.get(kind)
    if name is None:
        raise TypeError(f"no JSON Schema for {hint}: make a Tool with its own parameters")
    return {"type": name}
