"""The two recorders that the page bench compares, each behind the same raw CDP binding."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.fidelity.third_party_packages import install_npm_packages, read_npm_version
from pagereel.recorder.runtime.injector_script import InjectorScript

RRWEB = "rrweb@2.2.2"
BINDING = "__benchOut"
# pagereel's own batching: sent 48 ms after a batch's first event. rrweb has no measure of an event's size before it is
# encoded, so it sends by time alone.
RRWEB_START = f"""
(() => {{
  let events = [], timer = 0;
  const send = () => {{ timer = 0; const batch = events; events = []; {BINDING}(JSON.stringify(batch)); }};
  rrweb.record({{emit: (event) => {{ events.push(event); if (timer === 0) timer = setTimeout(send, 48); }}}});
}})()
"""


def read_rrweb_bundle() -> tuple[str, str]:
    """Return rrweb's published bundle as text, and `rrweb@version`."""
    folder = install_npm_packages(RRWEB)
    dist = folder / "node_modules" / "rrweb" / "dist"
    found = next(path for path in (dist / "rrweb.umd.min.cjs", dist / "umd" / "rrweb.min.js") if path.exists())
    return Path(found).read_text(encoding="utf-8"), read_npm_version(folder, "rrweb")


@dataclass
class BenchRecorder:
    """A recorder on one page. `received` holds the payloads that it sent, in order of arrival."""

    cdp: Any
    received: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cdp.on("Runtime.bindingCalled", lambda event: self.received.append(event["payload"]))

    def prepare(self) -> None:
        """Do what must be done before the measured time begins; here nothing."""

    def start(self) -> None:
        """Start to record the page as it is now; here nothing."""

    @property
    def size(self) -> int:
        """The characters that were received so far."""
        return sum(map(len, self.received))

    @property
    def checkpoints(self) -> int:
        """The number of checkpoints that were received so far."""
        return 0


class NoRecorder(BenchRecorder):
    """Records nothing, for samples of the page alone."""


class PagereelRecorder(BenchRecorder):
    """Pagereel's injector in its isolated world."""

    def prepare(self) -> None:
        self.script = InjectorScript("cdp", [])
        self.cdp.send("Runtime.enable")
        self.cdp.send("Runtime.addBinding", {"name": self.script.binding, "executionContextName": self.script.world})

    def start(self) -> None:
        source = {"source": self.script.source, "worldName": self.script.world, "runImmediately": True}
        self.cdp.send("Page.addScriptToEvaluateOnNewDocument", source)

    @property
    def checkpoints(self) -> int:
        return sum('"k":"checkpoint"' in payload for payload in self.received)


class RrwebRecorder(BenchRecorder):
    """rrweb's recorder in the page's own world."""

    def prepare(self) -> None:
        self.cdp.send("Runtime.enable")
        self.cdp.send("Runtime.addBinding", {"name": BINDING})
        self.cdp.send("Runtime.evaluate", {"expression": read_rrweb_bundle()[0] + "\n;0"})

    def start(self) -> None:
        self.cdp.send("Runtime.evaluate", {"expression": RRWEB_START + "\n;0"})


RECORDERS: dict[str, type[BenchRecorder]] = {"none": NoRecorder, "pagereel": PagereelRecorder, "rrweb": RrwebRecorder}
