"""The HTTP client that asks the providers: httpx2, which today's libraries of OpenAI and Anthropic bring along, or httpx."""

from __future__ import annotations

import importlib
from typing import Any

from pagereel.errors import UsageError


def http_library() -> Any:
    """Return the module. Raises UsageError where neither is installed."""
    for name in ("httpx2", "httpx"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise UsageError("Recording model traffic needs the extra `models`: pip install 'pagereel[models]'.")


def new_client(library: Any) -> Any:
    """Return a client that adds nothing of its own to a request and waits for an answer as long as it takes."""
    client = library.AsyncClient(
        timeout=library.Timeout(None, connect=30.0),
        limits=library.Limits(max_connections=None, max_keepalive_connections=50),
        follow_redirects=False,
    )
    client.headers.clear()
    return client
