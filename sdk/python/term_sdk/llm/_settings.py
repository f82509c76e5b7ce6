from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Optional
from urllib.parse import urlsplit

from ._errors import AgentError


def text_setting(value: Optional[str], *variables: str) -> Optional[str]:
    """The argument, else the first variable that is set. An empty one counts as unset."""
    return value or next((os.environ[name] for name in variables if os.environ.get(name)), None)


def number_setting(value: Optional[float], variable: str) -> Optional[float]:
    text = os.environ.get(variable)
    if value is not None or not text:
        return value
    if not re.fullmatch(r"\d+(\.\d+)?", text):
        raise AgentError("invalid", f"{variable} must be a number, not {text!r}")
    return float(text)


def max_tokens_setting(value: Optional[int]) -> int:
    number = number_setting(value, "TERM_MODEL_MAX_TOKENS")
    return 4096 if number is None else int(number)


def base_url_setting(value: Optional[str], variable: str, default: str) -> str:
    url = text_setting(value, "TERM_MODEL_BASE_URL", variable) or default
    if not _is_http(url):
        raise AgentError("invalid", "the model's base URL must be like https://host/path")
    # It would show up in logs and error messages.
    if "@" in urlsplit(url).netloc:
        raise AgentError("invalid", "the model's base URL can't contain a password; use api_key")
    return url.rstrip("/")


@dataclass(frozen=True)
class ApiKey:
    value: str = field(repr=False)
    #: Where it came from, for messages about a wrong key.
    source: str


def key_setting(
    value: Optional[str], provider: str, variable: str, base_url: str
) -> Optional[ApiKey]:
    """None only for a server on this machine, which needs no key."""
    variables = ("TERM_MODEL_API_KEY", variable)
    sources = [("api_key", value), *((name, os.environ.get(name)) for name in variables)]
    key = next((ApiKey(text, source) for source, text in sources if text), None)
    if key is None and not is_loopback(base_url):
        raise AgentError(
            "invalid",
            f"no API key for {provider}: pass api_key, or set {variable}"
            f" (with term-run: --env {variable})",
        )
    # Rejected here, because the HTTP library would quote it.
    if key is not None and not re.fullmatch(r"[!-~]+", key.value):
        raise AgentError("invalid", f"the API key in {key.source} contains a space or a line break")
    return key


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.endswith(".localhost") or host.startswith("127.")


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # Reading the port checks it.
        return parts.port != 0 and bool(parts.hostname and re.fullmatch(r"https?://[!-~]+", url))
    except ValueError:
        return False
