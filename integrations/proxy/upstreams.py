"""Lists the model providers, with their addresses and environment variables.

From these environment variables the providers' client libraries read the address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from pagereel.errors import UsageError


@dataclass(frozen=True, slots=True)
class UpstreamProvider:
    """A model provider. `path`: the path that clients expect at the end of its address; `variables`: the environment
    variables that hold the address.
    """

    name: str
    url: str
    path: str = ""
    variables: tuple[str, ...] = ()


KNOWN: Final = (
    UpstreamProvider("openai", "https://api.openai.com/v1", "/v1", ("OPENAI_BASE_URL", "OPENAI_API_BASE")),
    UpstreamProvider("anthropic", "https://api.anthropic.com", "", ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_BASE")),
    UpstreamProvider("ollama", "http://127.0.0.1:11434", "", ("OLLAMA_HOST", "OLLAMA_API_BASE")),
    UpstreamProvider(
        "gemini", "https://generativelanguage.googleapis.com", "", ("GOOGLE_GEMINI_BASE_URL", "GEMINI_API_BASE")
    ),
)
"""Providers whose libraries read an address from the environment. (LiteLLM reads the second variable of each.)"""
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,40}")


def parse_upstreams(options: Iterable[str], environment: Mapping[str, str]) -> list[UpstreamProvider]:
    """Return the providers, each with its address from `options` (`NAME=URL`), else from the environment variables, else
    its public one.

    :raises UsageError: an item of `options` is no `NAME=URL`.
    """
    fields: dict[str, str] = {}
    for item in options:
        name, equals, url = item.partition("=")
        if (
            not equals
            or not _NAME.fullmatch(name)
            or urlsplit(url).scheme not in ("http", "https")
            or not urlsplit(url).netloc
        ):
            raise UsageError(f"--upstream {item!r} is not NAME=URL; write it like groq=https://api.groq.com/openai/v1.")
        fields[name] = url.rstrip("/")
    found = []
    for known in KNOWN:
        already = next((environment[name] for name in known.variables if environment.get(name)), "")
        url = fields.pop(known.name, "") or _normalize_address(already) or known.url
        found.append(UpstreamProvider(known.name, url, known.path, known.variables))
    for name, url in fields.items():
        capital = name.upper().replace("-", "_")
        found.append(UpstreamProvider(name, url, urlsplit(url).path, (f"{capital}_BASE_URL", f"{capital}_API_BASE")))
    return found


def _normalize_address(address: str) -> str:
    """Return the address in an environment variable as a URL.

    Ollama's variable may hold a host, with or without a port.
    """
    if not address:
        return ""
    if "://" in address:
        return address.rstrip("/")
    host, colon, port = address.partition(":")
    return f"http://{'127.0.0.1' if host in ('', '0.0.0.0') else host}:{port if colon else '11434'}"


def build_environment(
    upstreams: Iterable[UpstreamProvider], origin: str, environment: Mapping[str, str]
) -> dict[str, str]:
    """Return environment variables that make a process send its requests to the proxy at `origin` instead of the
    providers.
    """
    found = {name: f"{origin}/{each.name}{each.path}" for each in upstreams for name in each.variables}
    for name in ("NO_PROXY", "no_proxy"):
        others = [part for part in environment.get(name, "").split(",") if part]
        found[name] = ",".join([*others, *(host for host in ("127.0.0.1", "localhost") if host not in others)])
    return found
