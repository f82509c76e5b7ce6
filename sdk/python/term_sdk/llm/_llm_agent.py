from __future__ import annotations

import json
import time
import traceback
from collections.abc import Generator, Sequence
from typing import Any, Optional

from .._agent import Agent
from .._give_up import GiveUp
from .._limits import limits
from .._log import log
from .._request import Request
from .._response import Response
from ._errors import AgentError
from ._history import History
from ._pending_usage import PendingUsage
from ._terminal_tools import CUT_OFF, FINISH, KEEP_GOING, SHELL, SYSTEM, result_of
from ._tool import Tool
from ._types import Model, ModelRequest, ModelResponse, ToolCall, ToolResultMessage, UserMessage

Steps = Generator[Response, Request, None]


def llm_agent(
    model: Model,
    system: Optional[str] = None,
    tools: Sequence[Tool] = (),
    max_turns: Optional[int] = None,
    output_limit: int = 30_000,
) -> Agent:
    """An agent for `run` that lets a model work in the terminal.

    `system` replaces the built-in prompt; `tools` are added to shell and finish.
    """
    names = [tool.name for tool in (SHELL, FINISH, *tools)]
    if len(set(names)) < len(names):
        raise AgentError("invalid", f"two tools have the same name: {', '.join(sorted(names))}")
    turns = max_turns or limits().max_steps or 100
    if model.context_tokens is not None:
        # No single output may fill more than about a third of the window.
        output_limit = min(output_limit, model.context_tokens)
    return _LlmAgent(model, SYSTEM if system is None else system, tools, turns, output_limit)


class _LlmAgent(Agent):
    def __init__(
        self, model: Model, system: str, tools: Sequence[Tool], max_turns: int, output_limit: int
    ) -> None:
        self._model = model
        self._system = system
        self._tools = {tool.name: tool for tool in (SHELL, FINISH, *tools)}
        self._max_turns = max_turns
        self._output_limit = output_limit
        described = (f"{tool.description}{tool.parameters}" for tool in self._tools.values())
        self._history = History(model.context_tokens, system + "".join(described))
        self._usage = PendingUsage()
        self._deadline: Optional[float] = None
        self._steps: Optional[Steps] = None

    def solve(self, request: Request) -> Response:
        step_limit = limits().step_timeout_sec
        self._deadline = None if step_limit is None else time.monotonic() + step_limit
        try:
            if self._steps is None:
                self._steps = self._work(request)
                return next(self._steps)
            return self._steps.send(request)
        except GiveUp as reason:
            reason.usage = reason.usage or self._usage.take()
            raise
        except Exception as error:
            # The conversation can't continue after this, and an idle step would hide the error.
            if not isinstance(error, AgentError):
                log(traceback.format_exc().rstrip())
            raise GiveUp(f"the model failed: {error}", self._usage.take()) from error

    def _work(self, task: Request) -> Steps:
        """The whole conversation. Each `yield` is one step."""
        self._history.append(UserMessage(f"{task.instruction}\n\n[the terminal is in {task.cwd}]"))
        for _ in range(self._max_turns):
            reply = self._ask()
            if reply.tool_calls:
                yield from self._call_tools(reply)
                continue
            yield self._with_usage(Response.say(reply.content or "The model said nothing."))
            cut = reply.stop_reason == "max_tokens"
            self._history.append(UserMessage(CUT_OFF if cut else KEEP_GOING))
        text = f"Stopped after {self._max_turns} turns, before the model finished."
        yield self._with_usage(Response.done(text))

    def _ask(self) -> ModelResponse:
        self._history.fit()
        messages, tools = tuple(self._history.messages), tuple(self._tools.values())
        request = ModelRequest(messages, self._system, tools)
        reply = self._model.run(request, self._deadline)
        self._usage.add(reply.usage)
        self._history.learn(reply.usage)
        self._history.append(reply.message)
        return reply

    def _call_tools(self, reply: ModelResponse) -> Steps:
        """Runs calls in sequence. The first error stops the rest, so that the model can react."""
        text: Optional[str] = reply.content or None
        failed = False
        unseen_failure = False
        for call in reply.tool_calls:
            try:
                if failed:
                    raise AgentError("tool", "not run: an earlier call in this turn failed")
                value = self._execute(call)
                if isinstance(value, Response):
                    if value.task_complete and unseen_failure:
                        raise AgentError("tool", "an earlier command failed: read its output first")
                    request = yield self._with_usage(_with_text(value, text))
                    text = None
                    unseen_failure = unseen_failure or request.failed
                    value = result_of(request, self._output_limit)
                result = ToolResultMessage(call.id, _text_of(value))
            except GiveUp:
                raise
            except Exception as error:
                failed = True
                result = ToolResultMessage(call.id, f"Error: {error}", is_error=True)
            self._history.append(result)

    def _execute(self, call: ToolCall) -> Any:
        if call.invalid is not None:
            raise AgentError("tool", call.invalid)
        tool = self._tools.get(call.name)
        if tool is None:
            raise AgentError("tool", f"unknown tool {call.name}; use {', '.join(self._tools)}")
        return tool.execute(call.arguments)

    def _with_usage(self, response: Response) -> Response:
        usage = self._usage.take()
        return response if usage is None else response.with_usage(**usage)


def _with_text(response: Response, text: Optional[str]) -> Response:
    return response if response.text or text is None else response.with_text(text)


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
