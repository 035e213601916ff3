"""Plays reels in rrweb's own Replayer after an export, and counts moments at which it shows what the page model says."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from pagereel.browser import launch_options
from pagereel.integrations import export
from pagereel.reel import (
    CDATA,
    COMMENT,
    ELEMENT,
    PI,
    SHADOW,
    TEXT,
    DocumentModel,
    PageModel,
    get_field_value,
    get_selected_indexes,
    is_checked,
    open_reel,
)  # fmt: skip

from . import __doc__ as about

SKIPPED = ("src", "srcset", "href", "xlink:href", "style", "poster", "data", "background", "autocomplete", "rr_open_mode", "open",
           "content", "sandbox", "onload", "onclick")  # fmt: skip
PLAY = """
window.skipped = %s;
window.lines = replayer => {
  const mirror = replayer.getMirror(), out = [];
  const walk = node => {
    const meta = mirror.getMeta(node);
    if (!meta || mirror.getId(node) < 0) return;
    if (node.nodeType === 1) {
      const tag = meta.tagName;
      const attributes = [...node.attributes].filter(a => !skipped.includes(a.name) && !a.name.startsWith('rrweb-')
        && !a.name.startsWith('onmouse') && !a.name.startsWith('rr_') && !a.name.startsWith('_') && a.name !== '_cssText'
        && !(a.name === 'value' && (tag === 'input' || tag === 'option')) && !(a.name === 'checked' && tag === 'input')
        && !(a.name === 'selected' && tag === 'option'))
        .map(a => `${a.name}=${a.name === 'class' ? a.value.replace(/ ?(rrweb-paused|:hover)/g, '') : a.value}`)
        .filter(a => a !== 'class=').sort();
      let state = '';
      if (tag === 'input') state = /^(checkbox|radio)$/i.test(node.type) ? `!${node.checked}` : node.type === 'file' ? '' : `!${node.value}`;
      if (tag === 'textarea') state = `!${node.value}`;
      if (tag === 'select' && !node.multiple) state = `!${node.selectedIndex}`;
      out.push(`<${tag} ${attributes.join(' ')}${state}`);
      if (node.shadowRoot) { out.push('#shadow'); node.shadowRoot.childNodes.forEach(walk); out.push('/shadow'); }
      if ((tag === 'iframe' || tag === 'frame') && node.contentDocument && mirror.getMeta(node.contentDocument)) {
        out.push('#frame'); node.contentDocument.childNodes.forEach(walk); out.push('/frame');
      } else if (tag !== 'textarea') node.childNodes.forEach(walk);
      out.push('>');
    } else if (node.nodeType === 3 || node.nodeType === 4) {
      const parent = node.parentElement;
      out.push(parent && /^style$/i.test(parent.tagName) ? 'T(style)' : 'T' + node.data);
    } else if (node.nodeType === 8) out.push('C' + node.data);
  };
  replayer.iframe.contentDocument.childNodes.forEach(walk);
  return out;
};
""" % json.dumps(SKIPPED)  # noqa: UP031


def iter_expected_lines(model: PageModel, document: DocumentModel) -> Iterator[str]:
    """Yield the page model's document as lines, in the form that the script in the Replayer's page writes."""
    frames = {
        inner.parent: inner for inner in model.documents.values() if inner.parent is not None and inner.root is not None
    }

    def walk_node(node: Any, document: DocumentModel) -> Iterator[str]:
        if node.kind == ELEMENT:
            tag = node.name.rpartition("|")[2]
            attributes = sorted(
                f"{name}={value}"
                for name, value in node.attrs.items()
                if name not in SKIPPED
                and (name, value) != ("class", "")
                and not name.startswith("onmouse")
                and not (name == "value" and tag in ("input", "option"))
                and not (name == "checked" and tag == "input")
                and not (name == "selected" and tag == "option")
            )
            state = ""
            if tag == "input":
                kind = node.attrs.get("type", "").lower()
                state = (
                    f"!{str(is_checked(node)).lower()}"
                    if kind in ("checkbox", "radio")
                    else f"!{get_field_value(node)}"
                )
                state = "" if kind == "file" else state
            elif tag == "textarea":
                state = f"!{get_field_value(node)}"
            elif tag == "select" and "multiple" not in node.attrs:
                state = f"!{next(iter(get_selected_indexes(node)), -1)}"
            yield f"<{tag} {' '.join(attributes)}{state}"
            if node.inner is not None and node.inner.kind == SHADOW:
                yield "#shadow"
                for child in node.inner.children:
                    yield from walk_node(child, document)
                yield "/shadow"
            inner = frames.get((document.d, node.id)) if tag == "iframe" else None
            if inner is not None and inner.root is not None:
                yield "#frame"
                for child in inner.root.children:
                    yield from walk_node(child, inner)
                yield "/frame"
            elif tag != "textarea":
                for child in node.children:
                    yield from walk_node(child, document)
            yield ">"
        elif node.kind in (TEXT, CDATA):
            yield "T(style)" if node.parent.name in ("style", "svg|style") else "T" + node.data
        elif node.kind == COMMENT:
            yield "C" + node.data
        elif node.kind == PI:
            yield f"C?{node.name} {node.data}?"

    assert document.root is not None
    for child in document.root.children:
        yield from walk_node(child, document)


def compare_with_model(
    page: Page, reel: Path, moments: int, screenshot_folder: Path | None
) -> tuple[int, int, int, list[str]]:
    """Return how many moments were compared, how many were equal, the number of events, and the first difference as lines."""
    text = export(reel, "rrweb")
    events = json.loads(text)
    with open_reel(reel) as opened:
        started = float(str(opened.header["started"]))
        timeline = list(opened.timeline())
    begin, end = events[0]["timestamp"], events[-1]["timestamp"]
    first = next(event for event in events if event["type"] == 2)["timestamp"]
    page.evaluate("events => { document.body.replaceChildren(); window.replayer?.destroy(); window.replayer = new rrweb.Replayer(events,"
                  " {mouseTail: false, showWarning: false}); }", events)  # fmt: skip
    number = next(event["page"] for event in timeline if event["k"] == "document" and event.get("top"))
    equal = done = 0
    difference: list[str] = []
    for turn in range(1, moments + 1):
        at = first + (end - first) * turn / moments
        # A moment in which nothing happens: both sides must have taken the same events.
        later = next((event["timestamp"] for event in events if event["timestamp"] > at), end + 2)
        before = max((event["timestamp"] for event in events if event["timestamp"] <= at), default=begin)
        if later - before < 2:
            at = before = later
        moment = before + 0.6
        page.evaluate("at => { replayer.pause(at) }", moment - begin)
        page.wait_for_timeout(60)
        found = page.evaluate("lines(replayer)")
        model = PageModel()
        clock = 0.0
        for event in timeline:
            clock = max(clock, float(event.get("t") or 0))
            if round(started + clock) > moment:
                break
            model.apply(event)
        state = model.pages.get(number)
        if state is None or state.document is None or model.documents[state.document].root is None:
            continue
        done += 1
        wanted = list(iter_expected_lines(model, model.documents[state.document]))
        if found == wanted:
            equal += 1
        elif not difference:
            delta = list(difflib.unified_diff(wanted, found, "model", "rrweb", lineterm="", n=1))
            difference = [f"at {moment - begin:.0f} ms:", *(line[:200] for line in delta[:14])]
        if screenshot_folder is not None:
            page.screenshot(path=screenshot_folder / f"{reel.parent.parent.name}-{turn}.png")
    return done, equal, len(events), difference


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.exports", description=about)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("reels", type=Path, nargs="+")
    parser.add_argument("--rrweb", type=Path, required=True, help="a folder whose node_modules holds rrweb")
    parser.add_argument("--moments", type=int, default=6)
    parser.add_argument("--shots", type=Path, help="screenshots of the Replayer go here")
    given = parser.parse_args()
    dist = given.rrweb / "node_modules" / "rrweb" / "dist"
    if given.shots:
        given.shots.mkdir(parents=True, exist_ok=True)
    worst = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory():
        browser = playwright.chromium.launch(**launch_options())
        for reel in given.reels:
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.on("pageerror", lambda error: print(f"    page error: {error}"))
            page.set_content(f"<!doctype html><style>{(dist / 'style.css').read_text()}</style><body>")
            page.add_script_tag(content=(dist / "rrweb.umd.min.cjs").read_text())
            page.add_script_tag(content=PLAY)
            began = time.monotonic()
            try:
                done, equal, events, difference = compare_with_model(page, reel, given.moments, given.shots)
            except LookupError as error:
                print(f"{reel}: {error}")
                continue
            finally:
                page.close()
            worst += done - equal
            print(
                f"{reel}: {equal} of {done} moments equal, {events} events, {time.monotonic() - began:.1f} s",
                flush=True,
            )
            for line in difference:
                print(f"    {line}")
        browser.close()
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
