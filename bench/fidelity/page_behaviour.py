"""Compares how a page behaves with and without a recorder: its console messages, its requests and its DOM.

Port numbers, measured times and names of blobs are replaced before the comparison, as they differ in each run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .page_serializer import Line

_OWN = re.compile(
    r"(?P<port>(?<=127\.0\.0\.1):\d+|(?<=localhost):\d+)|(?P<time>\b\d+(\.\d+)? ms\b)"
    r"|(?P<uuid>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)"
)
"""What each run has of its own: ports, measured times, names of blobs."""


def _replace_run_specifics(text: str) -> str:
    """Return a text in which ports, measured times and UUIDs are replaced by their kind."""
    return _OWN.sub(lambda match: f"<{match.lastgroup}>", text)


@dataclass
class PageBehaviour:
    """The console messages, the requests and the DOM of a page in one run."""

    console: Counter[str] = field(default_factory=Counter)
    """Messages and uncaught errors."""
    requests: Counter[str] = field(default_factory=Counter)
    """Method and URL, as the browser sent them and as the server got them."""
    structure: dict[str, list[Line]] = field(default_factory=dict)
    """The lines at each mark."""

    def watch_context(self, context: Any) -> None:
        """Count the console messages and the requests of a browser context from now on."""
        context.on("console", lambda said: self._count_text(self.console, f"{said.type} {said.text}"))
        context.on("weberror", lambda error: self._count_text(self.console, f"uncaught {error.error}"))
        context.on("request", lambda request: self._count_text(self.requests, f"{request.method} {request.url}"))

    def add_served_requests(self, site: Any) -> None:
        """Add the requests that the site's server saw, where it keeps them."""
        for method, target in getattr(site, "seen", None) or getattr(getattr(site, "app", None), "seen", ()):
            self._count_text(self.requests, f"served {method} {target}")

    def add_mark_structure(self, mark: str, lines: list[Line]) -> None:
        """Keep the serialized DOM at a mark."""
        self.structure[mark] = [(depth, _replace_run_specifics(line)) for depth, line in lines]

    @staticmethod
    def _count_text(counter: Counter[str], text: str) -> None:
        counter[_replace_run_specifics(text)] += 1


ASPECTS: dict[str, Callable[[PageBehaviour], object]] = {
    "console": lambda manners: manners.console,
    "requests": lambda manners: manners.requests,
    "DOM": lambda manners: manners.structure,
}


def compare_behaviour(plain: PageBehaviour, plain_again: PageBehaviour, recorded: PageBehaviour) -> dict[str, str]:
    """Return for each of :data:`ASPECTS` "same", "varies" (two runs without a recorder differ already), or the difference in words."""
    verdicts: dict[str, str] = {}
    for name, aspect in ASPECTS.items():
        if aspect(recorded) in (aspect(plain), aspect(plain_again)):
            verdicts[name] = "same"
        elif aspect(plain) != aspect(plain_again):
            verdicts[name] = "varies"
        else:
            verdicts[name] = _describe_difference(aspect(plain), aspect(recorded))
    return verdicts


def _describe_difference(plain: Any, recorded: Any) -> str:
    """Return the first differences between two aspects in words."""
    if isinstance(plain, Counter):
        words = [f"without: {text}" for text in list(plain - recorded)[:2]]
        words += [f"recorded: {text}" for text in list(recorded - plain)[:2]]
        return "; ".join(words)
    for mark, lines in plain.items():
        other = recorded.get(mark, [])
        for one, two in zip(lines, other, strict=False):
            if one != two:
                return f"at {mark}: without {one[1][:100]!r}, recorded {two[1][:100]!r}"
        if len(lines) != len(other):
            return f"at {mark}: {len(lines)} lines without, {len(other)} recorded"
    return "marks"
