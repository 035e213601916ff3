"""Runs applications again with their servers off, from the recording, and compares what each mark shows with the recorded run."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pagereel import compare, record, route_from_reel

from ..fidelity.case_runs import open_context
from .application import Application


@dataclass
class RerunResult:
    """How many marks of one application show the same text in the recorded run and in the run without its server."""

    name: str
    equal: int = 0
    marks: int = 0
    served: int = 0
    unmatched: list[str] = field(default_factory=list)
    divergence: str = ""
    """What `compare` says of the two recordings; empty where they are equal."""
    difference: str = ""
    """The first line that reads otherwise."""
    error: str = ""

    @property
    def line(self) -> str:
        """The result as one line for the terminal."""
        what = self.error or self.divergence or self.difference or (self.unmatched[0] if self.unmatched else "")
        return f"{self.name:14} {self.equal:2} of {self.marks:2} marks read the same, {self.served:3} answered, {len(self.unmatched)} not  {what}"


def run_again(browser: Any, application: Application, out: Path) -> RerunResult:
    """Record an application with its server, run it again from the recording without one, and return the comparison."""
    result = RerunResult(application.name)
    out.mkdir(parents=True, exist_ok=True)
    reel = out / "world.reel"
    reel.unlink(missing_ok=True)
    try:
        with application.site() as site:
            url = site.url + application.path
            context = open_context(browser, application.case)
            with record(context, reel, world=True):
                first = _do_acts_and_read_trees(context, url, application)
            context.close()
        result.marks = len(first)
        context = open_context(browser, application.case)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            served = route_from_reel(context, reel)
            try:
                with record(context, out / "again.reel", overwrite=True):
                    second = _do_acts_and_read_trees(context, url, application)
            finally:
                result.served = len(served.served)
                result.unmatched = [f"{miss.method} {miss.url}: {miss.why}"[:200] for miss in served.unmatched]
                context.close()
    except Exception as error:
        result.error = f"{type(error).__name__}: {error}".splitlines()[0][:300]
        return result
    compared = compare(reel, out / "again.reel", redaction=None)
    if compared.divergence is not None:
        result.divergence = f"{compared.divergence.kind}: {compared.divergence.summary}"[:200]
    for name, was in first.items():
        now = second[name]
        result.equal += was == now
        if was != now and not result.difference:
            pairs = zip([*was.splitlines(), ""], [*now.splitlines(), ""], strict=False)
            a, b = next(((a, b) for a, b in pairs if a != b), ("", ""))
            result.difference = f"{name}: {a.strip()[:80]!r} reads {b.strip()[:80]!r}"
    return result


def _do_acts_and_read_trees(context: Any, url: str, application: Application) -> dict[str, str]:
    """Do all interactions, and return for each mark the page's accessibility tree as text."""
    page = context.new_page()
    page.goto(url)
    application.loaded(page)
    seen = {}
    for name, act in application.acts.items():
        act(page)
        page.wait_for_timeout(application.settle)
        seen[name] = page.locator("body").aria_snapshot()
    return seen
