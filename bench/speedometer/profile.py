"""Measures which share of the recording's CPU time in Speedometer each part of the injector takes, by leaving parts out.

A sampling profiler counts wall time, and on a busy machine names whatever the kernel interrupts: calls of the binding looked like a sixth of all
time, and leaving them out changed nothing that could be measured. So parts are removed from the text of the readable bundle, and the rest is measured
as the bench measures: CPU time of the main thread, least and median, the variants in turn. Each printed line stops the injector sooner than the line
before it; the difference is the part's share. Two more lines show the cost of any script that observes a page from an isolated world.
"""

from __future__ import annotations

import statistics
from typing import Any

from bench.page.measure import read_task_ms
from bench.page.profile import build_readable_injector
from bench.page.recorders import PagereelRecorder
from pagereel.recorder.runtime import injector_script

# What is replaced in the bundle, so that the script goes only so far.
CUTS: dict[str, list[tuple[str, str]]] = {
    "everything": [],
    "observing, and telling nothing of the changes": [("note(records) {", "note(records) { return;")],
    "the first state only": [("note(records) {", "note(records) { return;"), ("this.observer.observe(", "void (")],
    "not even begun: the script made its objects": [("session.start(", "0 && session.start(")],
    "loaded: the script's own lines alone": [("begin(PAGEREEL_CONFIG);", "")],
    "a world of its own with nothing in it": [],
}
EMPTY = "a world of its own with nothing in it"

# What any recorder of this kind has to pay: scripts of a few lines that make nothing of what they see.
OBSERVE = "(%s).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});"
READ = """new MutationObserver((records) => {
  for (const {type, target, addedNodes, removedNodes, attributeName} of records) {
    if (type === "attributes") target.getAttribute(attributeName);
    else if (type === "characterData") target.data;
    else {
      for (let i = 0; i < removedNodes.length; i++) removedNodes[i];
      for (let i = 0; i < addedNodes.length; i++) if (addedNodes[i].isConnected) read(addedNodes[i]);
    }
  }
})"""
FLOORS = {
    "an observer that looks at nothing": ";" + OBSERVE % "new MutationObserver(() => {})",
    "an observer that reads each new node once, and keeps nothing": """;
const met = Symbol();
function read(node) {
  if (node[met]) return;
  node[met] = true;
  if (node.nodeType !== 1) { node.data; return; }
  node.localName; node.namespaceURI;
  for (const name of node.getAttributeNames()) node.getAttribute(name);
  for (let child = node.firstChild; child !== null; child = child.nextSibling) read(child);
}
"""
    + OBSERVE % READ,
}


def cut_bundle(name: str) -> str:
    """Return the bundle that stops where `name` says.

    Raises ValueError where the injector's source has changed, so that the text to replace is not found.
    """
    if name == EMPTY:
        return ";"
    text = build_readable_injector()
    for place, instead in CUTS[name]:
        if place not in text:
            raise ValueError(f"{place!r} is not in the bundle any more")
        text = text.replace(place, instead)
    return text


def measure_once(browser: Any, address: str, suites: list[str], bundle: str | None) -> float:
    """Return the main thread's CPU time of one run in ms, with this bundle of the injector alone behind a raw binding."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        page = context.new_page()
        cdp = context.new_cdp_session(page)
        cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        cdp.send("Page.enable")
        if bundle is not None:
            injector_script.read_bundle = lambda: bundle  # type: ignore[assignment]
            recorder = PagereelRecorder(cdp)
            recorder.prepare()
            recorder.start()
        query = f"iterationCount=1&{'suites=' + ','.join(suites) if suites else 'tags=default'}"
        page.goto(f"{address}/index.html?{query}")
        page.wait_for_function("globalThis.benchmarkClient !== undefined")
        cdp.send("HeapProfiler.collectGarbage")
        before = read_task_ms(cdp)
        page.evaluate("benchmarkClient.start(), undefined")
        page.wait_for_function("location.hash === '#summary'", timeout=900_000)
        return read_task_ms(cdp) - before
    finally:
        context.close()


def print_profile(browser: Any, address: str, suites: list[str], rounds: int) -> None:
    """Measure each variant of the bundle in turns and print the table."""
    bundles: dict[str, str | None] = {**{name: cut_bundle(name) for name in CUTS}, **FLOORS, "no recorder": None}
    taken: dict[str, list[float]] = {name: [] for name in bundles}
    for number in range(rounds):
        for name in bundles if number % 2 == 0 else reversed(bundles):
            taken[name].append(measure_once(browser, address, suites, bundles[name]))
    plain = min(taken["no recorder"])
    for name, times in taken.items():
        least = min(times)
        print(f"{name:60} {least:6.0f} ms least, {statistics.median(times):6.0f} median   + {least - plain:4.0f} ms")
