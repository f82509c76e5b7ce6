from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Optional

from ._shell import CommandOutcome

# Keeps the directory and exported variables for the next command, even after `exit`.
_WRAPPER = """
if [ -f "$1/env" ]; then . "$1/env"; cd "$(cat "$1/cwd")"; fi
trap 'code=$?; export -p > "$1/env"; pwd > "$1/cwd"; exit $code' EXIT
eval "$2"
"""


class LocalShell:
    """Runs real commands on this machine, unsandboxed: only for your own agents and tests.

    Starts in a fresh folder, removed on close, unless `cwd` names another.
    """

    def __init__(self, cwd: Optional[str] = None, command_timeout_sec: float = 10) -> None:
        self._scratch = Path(tempfile.mkdtemp(prefix="term-sdk-"))
        self._timeout = command_timeout_sec
        self._groups: list[int] = []
        work = self._scratch / "work"
        work.mkdir()
        self.cwd = cwd or str(work)

    def __enter__(self) -> LocalShell:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def run(self, command: str) -> CommandOutcome:
        # To a file, not a pipe, which a background process could hold open.
        output = self._scratch / "output"
        with output.open("wb") as file:
            process = subprocess.Popen(
                ["sh", "-c", _WRAPPER, "sh", str(self._scratch), command],
                cwd=self.cwd,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._groups.append(process.pid)
        exit_code = self._wait(process)
        cwd = self._scratch / "cwd"
        # A command killed before it could report leaves the directory unchanged.
        if cwd.exists():
            self.cwd = _less_newline(cwd.read_text())
        text = output.read_bytes().decode("utf-8", "replace")
        return CommandOutcome(_less_newline(text), exit_code)

    def close(self) -> None:
        """Kills leftover processes and removes the scratch directory."""
        for group in self._groups:
            _kill_group(group)
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _wait(self, process: subprocess.Popen[bytes]) -> int:
        try:
            code = process.wait(self._timeout)
            return 128 - code if code < 0 else code
        except subprocess.TimeoutExpired:
            _kill_group(process.pid)
            process.wait()
            return 124


def _less_newline(text: str) -> str:
    return text[:-1] if text.endswith("\n") else text


def _kill_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass  # Already gone.
