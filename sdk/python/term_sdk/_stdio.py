from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Optional


class StdioChannel:
    """Reserves stdin and stdout for the protocol. Until closed, other output goes to stderr."""

    def __enter__(self) -> StdioChannel:
        self._stdout = sys.stdout
        self._stdout.flush()
        self._wire = os.dup(self._stdout.fileno())
        # At descriptor level, so that child processes can't write to the wire either.
        os.dup2(sys.stderr.fileno(), self._stdout.fileno())
        sys.stdout = sys.stderr
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._stdout.flush()
        os.dup2(self._wire, self._stdout.fileno())
        os.close(self._wire)
        sys.stdout = self._stdout

    def receive(self) -> Optional[str]:
        # Bytes, because the protocol is UTF-8 whatever the locale.
        line = sys.stdin.buffer.readline()
        return line.decode("utf-8", "replace") if line else None

    def send(self, line: str) -> bool:
        rest = memoryview(f"{line}\n".encode())
        try:
            while rest:
                rest = rest[os.write(self._wire, rest) :]
        except OSError:
            return False
        return True
