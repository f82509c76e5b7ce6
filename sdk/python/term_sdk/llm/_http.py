from __future__ import annotations

import concurrent.futures
import http.client
import socket
import ssl
import threading
import urllib.request
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.error import URLError
from urllib.parse import urlsplit

from ._errors import AgentError, Transient
from ._settings import is_loopback


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


def post(url: str, headers: Mapping[str, str], body: bytes, timeout_sec: float) -> Answer:
    """One attempt. Raises Transient if the connection broke or timed out."""
    # In its own thread: a socket's timeout restarts with each byte; this one covers everything.
    outcome: concurrent.futures.Future[Answer] = concurrent.futures.Future()

    def work() -> None:
        try:
            outcome.set_result(_send(url, headers, body, timeout_sec))
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        return outcome.result(timeout_sec)
    except (concurrent.futures.TimeoutError, OSError, http.client.HTTPException) as error:
        raise _failure(error, urlsplit(url).netloc, timeout_sec) from error


def _send(url: str, headers: Mapping[str, str], body: bytes, timeout_sec: float) -> Answer:
    request = urllib.request.Request(url, body, dict(headers), method="POST")
    handlers: list[urllib.request.BaseHandler] = [_AsItIs()]
    # A model on this machine isn't behind the proxy.
    if is_loopback(url):
        handlers.append(urllib.request.ProxyHandler({}))
    with urllib.request.build_opener(*handlers).open(request, timeout=timeout_sec) as response:
        return Answer(response.status, response.headers, response.read())


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Returns every status. Doesn't follow redirects, which would forward the key."""

    def http_response(self, request: urllib.request.Request, response: Any) -> Any:
        return response

    https_response = http_response


def _failure(error: BaseException, host: str, timeout_sec: float) -> Exception:
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(reason, (concurrent.futures.TimeoutError, socket.timeout)):
        message = f"no response from {host} within {timeout_sec:g} s"
        return Transient(AgentError("timeout", message, error))
    message = f"the connection to {host} failed: {reason or type(error).__name__}"
    network = AgentError("network", message, error)
    return network if isinstance(reason, ssl.SSLCertVerificationError) else Transient(network)
