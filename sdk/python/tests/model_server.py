from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Optional


class Received(NamedTuple):
    path: str
    headers: Any
    body: Any


class Reply(NamedTuple):
    body: Any = None
    status: int = 200
    headers: dict[str, str] = {}
    content_type: str = "application/json"
    #: How the answer goes wrong: cut in the middle, or never ending.
    fault: Optional[str] = None


class ModelServer:
    """A model server on loopback that sends the given replies, one per request."""

    def __init__(self, *replies: Any) -> None:
        self.requests: list[Received] = []
        self.received = threading.Event()
        self._replies = [reply if isinstance(reply, Reply) else Reply(reply) for reply in replies]
        self._closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer._handle(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        # Often, so that the test ends quickly.
        serve = lambda: self._server.serve_forever(poll_interval=0.01)  # noqa: E731
        self._thread = threading.Thread(target=serve, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        number = len(self.requests)
        self.requests.append(Received(handler.path, handler.headers, body))
        self.received.set()
        nothing = Reply({"error": {"message": f"no reply planned for request {number + 1}"}}, 400)
        self._answer(handler, self._replies[number] if number < len(self._replies) else nothing)

    def _answer(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        data = text.encode()
        handler.send_response(reply.status)
        handler.send_header("content-type", reply.content_type)
        handler.send_header("content-length", str(len(data)))
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        if reply.fault == "stall":
            self._closing.wait()
        elif reply.fault == "drip":
            # Sends bytes, but the response never ends.
            while not self._closing.wait(0.02):
                handler.wfile.write(b" ")
        else:
            handler.wfile.write(data[: len(data) // 2] if reply.fault == "cut" else data)


def claude_answer(
    text: str = "",
    calls: tuple[tuple[str, Any], ...] = (),
    thinking: Optional[str] = None,
    stop_reason: Optional[str] = None,
    **usage: int,
) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = []
    if thinking is not None:
        blocks.append({"type": "thinking", "thinking": thinking, "signature": "signed"})
    if text:
        blocks.append({"type": "text", "text": text})
    for number, (name, arguments) in enumerate(calls, 1):
        id = f"toolu_{number}"
        blocks.append({"type": "tool_use", "id": id, "name": name, "input": arguments})
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": blocks,
        "stop_reason": stop_reason or ("tool_use" if calls else "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5, **usage},
    }


def openai_answer(
    text: Optional[str] = None,
    calls: tuple[tuple[str, str], ...] = (),
    finish_reason: Optional[str] = None,
    usage: Any = None,
    **message: Any,
) -> dict[str, Any]:
    """A call's arguments are JSON in a string here."""
    if calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            }
            for number, (name, arguments) in enumerate(calls, 1)
        ]
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text, **message},
        "finish_reason": finish_reason or ("tool_calls" if calls else "stop"),
    }
    answer = {"id": "chatcmpl-1", "object": "chat.completion", "model": "small-1"}
    return {**answer, "choices": [choice], **({"usage": usage} if usage else {})}
