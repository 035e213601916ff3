"""Defines what a case of this bench is: a page, its marks, and what is done to the page before each mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol


class ServedSite(Protocol):
    """A site that is served on loopback; `url` has no slash at its end."""

    url: str


@dataclass(frozen=True)
class Case:
    """One page with two or more marks.

    `site` serves the page anew for each run. `act(page, mark)` does what leads to a mark; `page` is a page of Playwright's sync API, opened at
    `site.url + path`.
    """

    name: str
    group: str
    site: Callable[[], AbstractContextManager[ServedSite]]
    path: str
    marks: tuple[str, ...]
    act: Callable[[Any, str], None]
    settle: int = 250
    """ms between an act and its mark."""
    context: Mapping[str, Any] = field(default_factory=dict)
    """Options for the browser context beside the viewport."""
    loaded: Callable[[Any], None] | None = None
    """Waits until the page is ready for the first mark; the load event by default."""
    version: str = ""
    """Of the third-party material: `name@version`."""
