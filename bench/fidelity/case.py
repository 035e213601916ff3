"""What a case of the bench is: a page, and what is done to it between its marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol


class ServedSite(Protocol):
    """Something that is served on loopback; `url` has no slash at its end."""

    url: str


@dataclass(frozen=True)
class Case:
    """One page with two or more marks.

    `site` gives a fresh server for each run. `act(page, mark)` does what leads to the mark; the page is a Playwright
    page of the sync API that was opened at `site.url + path`.
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
