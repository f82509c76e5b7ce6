import sys


def log(message: str) -> None:
    """stdout belongs to the protocol, so everything else goes to stderr."""
    print(f"[term-sdk] {message}", file=sys.stderr, flush=True)
