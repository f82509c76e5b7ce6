from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

PACKAGE = str(Path(__file__).parents[1])


class AgentProcess:
    """An agent in its own process, and the runner's side of its pipes."""

    def __init__(self, code: str, **env: str) -> None:
        source = "from term_sdk import *\n" + code
        self.process = subprocess.Popen(
            [sys.executable, "-c", source],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": PACKAGE, **env},
        )
        self.stderr = ""
        self._grew = threading.Condition()
        self._reader = threading.Thread(target=self._read_stderr, daemon=True)
        self._reader.start()

    def __enter__(self) -> AgentProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass

    def send(self, step: int, **fields: Any) -> None:
        empty = {"last_command": None, "output": None, "exit_code": None, "cwd": "/app"}
        request = {"instruction": "test", "step": step, **empty, **fields}
        self.process.stdin.write(json.dumps(request, ensure_ascii=False).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        return json.loads(self.process.stdout.readline())

    def ask(self, step: int, **fields: Any) -> Any:
        self.send(step, **fields)
        return self.receive()

    def exit_code(self) -> int:
        code = self.process.wait(timeout=30)
        self._reader.join(timeout=30)
        return code

    def rest(self) -> bytes:
        return self.process.stdout.read()

    def until_stderr(self, text: str) -> None:
        with self._grew:
            if not self._grew.wait_for(lambda: text in self.stderr, timeout=30):
                raise AssertionError(f"{text!r} never came, only {self.stderr!r}")

    def _read_stderr(self) -> None:
        while True:
            chunk = os.read(self.process.stderr.fileno(), 65536)
            if not chunk:
                return
            with self._grew:
                self.stderr += chunk.decode()
                self._grew.notify_all()
