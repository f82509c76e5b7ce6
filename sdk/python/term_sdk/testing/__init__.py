"""Acts as the runner for an agent in your own unit tests."""

from ._drive import Trial, drive, drive_script
from ._local_shell import LocalShell
from ._shell import CommandOutcome, Reply, Scripted, Shell, scripted

__all__ = [
    "CommandOutcome",
    "LocalShell",
    "Reply",
    "Scripted",
    "Shell",
    "Trial",
    "drive",
    "drive_script",
    "scripted",
]
