from __future__ import annotations

from typing import Optional

from ._response import Usage


class GiveUp(Exception):
    """Raise it from `solve` to exit with this reason instead of an idle step.

    The exit code is 1. `usage` is usage that no step has reported yet.
    """

    def __init__(self, reason: str, usage: Optional[Usage] = None) -> None:
        super().__init__(reason)
        self.usage = usage
