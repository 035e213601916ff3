"""The injector's script with its configuration, and the names by which the recorder calls it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import cache
from importlib import resources

import orjson

from pagereel.errors import SetupError


class InjectorScript:
    """The injector's script for one recording. Its names are random, so that two recordings do not collide and a page
    cannot guess them.
    """

    def __init__(self, transport: str, mask: Sequence[str]) -> None:
        token = secrets.token_hex(8)
        self.transport = transport
        self.binding = f"b{token}"
        self.handle = f"h{token}"
        self.world = f"w{token}"
        config = {"transport": transport, "binding": self.binding, "handle": self.handle, "mask": list(mask)}
        self.source = f"(function(){{const PAGEREEL_CONFIG = {orjson.dumps(config).decode()};\n{read_bundle()}\n}})()"

    def build_call(self, method: str) -> str:
        """Return a JavaScript expression that calls a method of the script's handle, or does nothing if the handle is
        missing.
        """
        return f"globalThis[{orjson.dumps(self.handle).decode()}]?.{method}"


@cache
def read_bundle(name: str = "injector.js") -> str:
    """Return the text of a built script in ``dist/``. Raises :class:`SetupError` if it is missing."""
    try:
        return resources.files("pagereel.dist").joinpath(name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SetupError(f"dist/{name} is missing; build it with `npm run build`, or install the wheel.") from None


@cache
def build_text_positions_script() -> str:
    """Return the script that finds the positions of readable text. A page gets it only before its first screenshot."""
    config = orjson.dumps({"transport": "cdp"}).decode()
    return f"(function(){{const PAGEREEL_CONFIG = {config};\nlet PAGEREEL_LOOK;\n{read_bundle('places.js')}\nreturn PAGEREEL_LOOK}})()"
