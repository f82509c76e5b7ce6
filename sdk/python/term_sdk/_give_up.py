from __future__ import annotations

from typing import Optional

from ._response import Usage


class GiveUp(Exception):
    """Raised from `solve`: the agent ends with this reason, instead of an idle step.

    The process ends with exit code 1. `usage` is what no step has reported yet.
    """

    def __init__(self, reason: str, usage: Optional[Usage] = None) -> None:
        super().__init__(reason)
        self.usage = usage
