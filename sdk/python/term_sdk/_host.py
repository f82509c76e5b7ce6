from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from types import FrameType
from typing import Any, Callable, Optional

from ._log import log
from ._session import Session
from ._stdio import StdioChannel

_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
# How long leftover threads may keep a finished agent alive.
_LINGER_SEC = 3


class Stopped(BaseException):
    """A signal was received. Not an Exception, so that `except Exception` doesn't catch it."""

    def __init__(self, signum: int) -> None:
        self.exit_code = 128 + signum


def host(work: Callable[[Session], bool], cleanup: Callable[[], Any]) -> None:
    """Runs an agent as this process: stdio, signals, cleanup and exit.

    Returns on success, else raises SystemExit: with code 1 if `work` returned False.
    """
    exit_code = 0
    with StdioChannel() as channel:
        release_signals = _on_signals()
        try:
            try:
                exit_code = 0 if work(Session(channel)) else 1
            finally:
                release_signals()
        except Stopped as stopped:
            exit_code = stopped.exit_code
        finally:
            _clean(cleanup)
    _end_soon(exit_code)
    if exit_code:
        sys.exit(exit_code)


def _clean(cleanup: Callable[[], Any]) -> None:
    try:
        cleanup()
    except Exception:
        log(f"cleanup failed:\n{traceback.format_exc().rstrip()}")


def _on_signals() -> Callable[[], None]:
    # Python lets only the main thread handle signals.
    if threading.current_thread() is not threading.main_thread():
        return lambda: None

    def stop(signum: int, frame: Optional[FrameType]) -> None:
        # A second signal during cleanup ends the process at once.
        release()
        raise Stopped(signum)

    before = {number: signal.getsignal(number) or signal.SIG_DFL for number in _SIGNALS}

    def release() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in _SIGNALS:
        signal.signal(number, stop)
    return release


def _end_soon(exit_code: int) -> None:
    """Waits for the main program to end; only acts if something else outlives it."""

    def watch() -> None:
        threading.main_thread().join()
        time.sleep(_LINGER_SEC)
        log("the agent has finished but a thread keeps it alive; exiting")
        os._exit(exit_code)

    threading.Thread(target=watch, daemon=True).start()
