"""The script that goes into pages, with its configuration."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import cache
from importlib import resources

import orjson

from pagereel.errors import SetupError


class Script:
    """One recording's script. The names are random, so that two recordings, or a curious page, do not meet them."""

    def __init__(self, transport: str, mask: Sequence[str]) -> None:
        token = secrets.token_hex(8)
        self.transport = transport
        self.binding = f"b{token}"
        self.handle = f"h{token}"
        self.world = f"w{token}"
        config = {"transport": transport, "binding": self.binding, "handle": self.handle, "mask": list(mask)}
        self.source = f"(function(){{const PAGEREEL_CONFIG = {orjson.dumps(config).decode()};\n{bundle()}\n}})()"

    def call(self, method: str) -> str:
        """Return an expression that calls one method of the script's handle, or does nothing where there is none."""
        return f"globalThis[{orjson.dumps(self.handle).decode()}]?.{method}"


@cache
def bundle() -> str:
    """Return the built injector. Raises :class:`SetupError` where it is missing."""
    try:
        return resources.files("pagereel.dist").joinpath("injector.js").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SetupError("dist/injector.js is missing; build it with `npm run build`, or install the wheel.") from None
