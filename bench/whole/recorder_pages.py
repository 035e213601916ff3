"""Opens a page on which pagereel's whole recorder, rrweb or no recorder is started."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.page.recorders import BINDING, RRWEB_START, read_rrweb_bundle
from pagereel.recorder import record

WAYS = ("none", "pagereel", "rrweb")


@dataclass
class PageUnderRecorder:
    """A page, and what is needed to start one recorder on it."""

    context: Any
    page: Any
    cdp: Any
    way: str
    folder: Path
    stack: contextlib.ExitStack

    def start(self) -> None:
        """Start to record the page as it is now."""
        if self.way == "pagereel":
            self.stack.enter_context(record(self.context, self.folder / "run.reel"))
        elif self.way == "rrweb":
            self.receive_rrweb_events()
            self.cdp.send("Runtime.evaluate", {"expression": f"{read_rrweb_bundle()[0]}\n;{RRWEB_START}\n;0"})

    def start_with_loads(self) -> None:
        """Record each document that the page loads from now on, from its start."""
        if self.way == "rrweb":
            self.receive_rrweb_events()
            # On the empty page of a new tab, as an init script, rrweb 2.2.2 never returns.
            begin = (
                f"if (location.href !== 'about:blank') addEventListener('DOMContentLoaded', () => {{ {RRWEB_START} }});"
            )
            self.page.add_init_script(f"{read_rrweb_bundle()[0]}\n{begin}")
        else:
            self.start()

    def receive_rrweb_events(self) -> None:
        """Receive rrweb's events over a CDP binding, and drop them."""
        self.cdp.on("Runtime.bindingCalled", lambda event: None)
        self.cdp.send("Runtime.enable")
        self.cdp.send("Runtime.addBinding", {"name": BINDING})


@contextlib.contextmanager
def open_page(browser: Any, recorder: str) -> Iterator[PageUnderRecorder]:
    """Open a fresh page in a context of its own, for one recorder; its recording ends with the block."""
    with contextlib.ExitStack() as outer:
        folder = Path(outer.enter_context(tempfile.TemporaryDirectory()))
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        outer.callback(context.close)
        page = context.new_page()
        yield PageUnderRecorder(
            context, page, context.new_cdp_session(page), recorder, folder, outer.enter_context(contextlib.ExitStack())
        )
