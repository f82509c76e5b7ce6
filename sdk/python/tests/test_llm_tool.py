import unittest
from typing import Any, Optional

from term_sdk.llm import tool


class ToolOfAFunction(unittest.TestCase):
    def test_name_description_and_schema(self):
        @tool
        def find(pattern: str, count: int = 3, deep: Optional[bool] = None, tags: list[str] = ()):
            """Finds files by a pattern."""
            return f"{pattern} {count} {deep} {tags}"

        self.assertEqual((find.name, find.description), ("find", "Finds files by a pattern."))
        self.assertEqual(
            find.parameters,
            {
                "type": "object",
                "properties": {
                    "pattern": {"type": "string"},
                    "count": {"type": "integer"},
                    "deep": {"type": "boolean"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["pattern"],
                "additionalProperties": False,
            },
        )
        self.assertEqual(find.execute({"pattern": "*.py", "count": 1}), "*.py 1 None ()")

    def test_anything_is_a_schema_too(self):
        @tool
        def keep(value: Any, table: dict, ratio: float, rest=None):
            """Keeps a value."""

        kinds = [schema.get("type") for schema in keep.parameters["properties"].values()]
        self.assertEqual(kinds, [None, "object", "number", None])

    def test_functions_a_model_could_not_call(self):
        def silent(value: str):
            return value

        def rest(*values: str):
            """Takes as many as there are."""

        def odd(value: complex):
            """Takes what JSON lacks."""

        for function, reason in ((silent, "docstring"), (rest, r"\*values"), (odd, "complex")):
            with self.subTest(reason), self.assertRaisesRegex(TypeError, reason):
                tool(function)
