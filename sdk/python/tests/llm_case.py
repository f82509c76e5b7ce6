from __future__ import annotations

import contextlib
import io
import os
import unittest
from typing import Any
from unittest import mock

from term_sdk.llm import AgentError

from .model_server import ModelServer


class LlmCase(unittest.TestCase):
    """Ignores the developer's own keys and settings, and captures stderr."""

    def setUp(self) -> None:
        ours = ("ANTHROPIC_", "OPENAI_", "TERM_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        self.enter(mock.patch.dict(os.environ, kept, clear=True))
        self.stderr = self.enter(contextlib.redirect_stderr(io.StringIO()))

    def enter(self, context: Any) -> Any:
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def serve(self, *replies: Any) -> ModelServer:
        return self.enter(ModelServer(*replies))

    def error_of(self, work: Any, *args: Any, **options: Any) -> AgentError:
        with self.assertRaises(AgentError) as raised:
            work(*args, **options)
        return raised.exception
