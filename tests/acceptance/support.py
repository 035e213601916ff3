"""What the acceptance tests share: the real command line, reels as they are asked, and DOM written down deeply."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error

from pagereel.cli import main
from pagereel.reel import DocumentModel, Event, PageModel, open_reel
from tests.command import PAGEREEL

from ..chromium import apart

SERIALIZE = (Path(__file__).parent / "serialize.js").read_text(encoding="utf-8")

LAUNCH = apart()


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str


def pagereel(*words: object, seconds: float = 90) -> Answer:
    """The command in a process of its own, as a person runs it."""
    done = subprocess.run([*PAGEREEL, *map(str, words)], capture_output=True, text=True, timeout=seconds)
    return Answer(done.returncode, done.stdout, done.stderr)


def called(capsys: pytest.CaptureFixture[str], *words: object) -> Answer:
    """The command in this process: half a second less, where another test runs the same command as a person does."""
    capsys.readouterr()
    status = main([str(word) for word in words])
    captured = capsys.readouterr()
    return Answer(status, captured.out, captured.err)


# -- live pages and replays, written down ---------------------------------------------------------------------------------


def live(page: Any) -> str:
    """What a page of the sync API shows, its frames of any origin in their places.

    Where a frame leaves while it is written down, what the page shows without it is written down afresh.
    """
    for _ in range(20):
        try:
            return _frame(page.main_frame, 0)
        except Error as error:
            if "detached" not in error.message and "context was destroyed" not in error.message:
                raise
            left = error
    raise left


def _frame(frame: Any, depth: int) -> str:
    lines = frame.evaluate(SERIALIZE, {"root": "document", "plain": True}).split("\n")
    inner: dict[int, Any] = {}
    for child in frame.child_frames:
        owner = child.frame_element()
        inner[owner.evaluate(_PLACE)] = child
        owner.dispose()
    out: list[str] = []
    for line in lines:
        head, sign, number = line.partition("#frame @@")
        if not sign or head.strip():
            out.append(" " * depth + line)
            continue
        out.append(" " * depth + f"{head}#frame")
        child = inner.get(int(number))
        if child is not None:
            out.append(_frame(child, depth + len(head) + 1))
        out.append(" " * depth + f"{head}#end")
    return "\n".join(out)


_PLACE = """(wanted) => {
  let number = 0, found = -1;
  const visit = (node) => {
    if (node === wanted) found = number;
    if (node.localName === "iframe" || node.localName === "frame") number++;
    if (node.shadowRoot) visit(node.shadowRoot);
    for (const child of node.childNodes) visit(child);
  };
  visit(document);
  return found;
}"""


def shown(replay: Any, *, plain: bool = False) -> str:
    """What the replay's frame shows."""
    return str(replay.evaluate(SERIALIZE, {"root": "replay", "plain": plain}))


def difference(expected: str, found: str) -> str:
    """The first lines that differ, with what stands before them; "" when there are none."""
    left, right = expected.split("\n"), found.split("\n")
    for number in range(max(len(left), len(right))):
        a = left[number] if number < len(left) else "(end)"
        b = right[number] if number < len(right) else "(end)"
        if a != b:
            before = "\n".join(left[max(0, number - 4) : number])
            return f"line {number}\n{before}\n- {a}\n+ {b}"
    return ""


# -- replays --------------------------------------------------------------------------------------------------------------


@dataclass
class Opened:
    """A replay in a page of its own, and every sign of life that it gave beside showing itself."""

    page: Any
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    more: list[str] = field(default_factory=list)

    def asked(self) -> list[str]:
        """Requests but for the file itself and for bytes that the player holds."""
        own = self.page.url.partition("#")[0]
        return [url for url in self.requests if url.partition("#")[0] != own and not url.startswith(("blob:", "data:"))]


@contextmanager
def opened(browser: Any, html: Path, *, offline: bool = True, fragment: str = "") -> Iterator[Opened]:
    """Opens a replay from disk, with the network cut unless told otherwise. Requests are counted twice: by Playwright and over CDP."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=offline)
    context.set_default_timeout(30_000)
    page = context.new_page()
    result = Opened(page)

    def answer(dialog: Any) -> None:
        result.more.append(f"dialog {dialog.message}")
        dialog.dismiss()

    context.on("request", lambda request: result.requests.append(request.url))
    context.on("page", lambda other: result.more.append(f"page {other.url}"))
    page.on("dialog", answer)
    page.on("download", lambda download: result.more.append(f"download {download.url}"))
    page.on("console", lambda message: result.said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: result.said.append(f"error: {error}"))
    cdp = context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.on("Network.requestWillBeSent", lambda event: result.requests.append(event["request"]["url"]))
    cdp.on("Network.webSocketCreated", lambda event: result.requests.append(event["url"]))
    try:
        page.goto(html.resolve().as_uri() + fragment)
        page.evaluate(
            """() => {
              if (!(window.pagereel?.ready instanceof Promise)) throw new Error("the page has loaded and has no window.pagereel");
              return Promise.race([window.pagereel.ready, new Promise((_, no) => setTimeout(no, 60000, new Error("not ready")))]);
            }"""
        )
        yield result
    finally:
        context.close()


def seek(replay: Any, target: object) -> float:
    return float(replay.evaluate("(target) => window.pagereel.seek(target)", target))


# -- reels ----------------------------------------------------------------------------------------------------------------


def read(path: Path) -> tuple[list[Event], bool]:
    """All intact events in file order, and whether the reel is sealed."""
    with open_reel(path) as reel:
        return list(reel.events()), reel.sealed


def whole(path: Path, *, excused: frozenset[str] = frozenset()) -> int:
    """The recording is sealed, nothing was missed and every checkpoint is equal; how many there are."""
    events, sealed = read(path)
    assert sealed, "the recording is not sealed"
    gaps = [event for event in events if event["k"] == "gap" and event["reason"] not in excused]
    assert gaps == [], f"gaps: {gaps}"
    checkpoints = [event for event in events if event["k"] == "checkpoint"]
    wrong = [event for event in checkpoints if event["equal"] is not True]
    assert wrong == [], f"checkpoints that differ: {wrong}"
    assert checkpoints, "no checkpoints"
    return len(checkpoints)


def at_marks(path: Path, take: Callable[[PageModel], Any]) -> dict[str, Any]:
    """`take(model)` at each mark of a reel."""
    found: dict[str, Any] = {}
    model = PageModel()
    with open_reel(path) as reel:
        for event in reel.timeline():
            model.apply(event)
            if event["k"] == "mark":
                found[str(event["name"])] = take(model)
    assert model.error_count == 0, model.problem_texts
    return found


def canonical(document: DocumentModel, *, closed: bool = True) -> list[str]:
    """A document's lines without ids, and the state that its digest leaves out; `closed=False` leaves out closed roots.

    Ids and sheet numbers say when something was first seen, which may differ between recordings of one page: they are
    replaced by the place in the tree and in the list.
    """
    place: dict[int, int] = {}
    sheets: dict[int, int] = {}
    lines: list[str] = []
    inside = 0
    for line in document.iter_canonical_lines():
        kind, rest = line[:1], line[1:].rstrip("\n")
        if inside or (not closed and kind == "S" and rest.endswith(" closed")):
            inside += 1 if kind in "DESF" else -1 if kind == ")" else 0
        elif kind in "ETCXPOSFD":
            number, _, what = rest.partition(" ")
            place[int(number)] = len(place)
            lines.append(f"{kind} {what}")
        elif kind == "Y":
            number, owner, text = rest.split(" ", 2)
            if int(owner) == 0 or int(owner) in place:
                sheets[int(number)] = len(sheets)
                lines.append(f"Y {len(sheets)} {place.get(int(owner), -1)} {text}")
        elif kind == "A":
            root, _, numbers = rest.partition(" ")
            if int(root) in place:
                lines.append(f"A {place[int(root)]} {[sheets.get(int(n)) for n in numbers.split(',')]}")
        else:
            lines.append(line)
    for node_id, node in document.stateful.items():
        scroll = (node.state or {}).get("scroll")
        if scroll and scroll != [0, 0] and node_id in place:
            lines.append(f"scroll {place[node_id]} {scroll}")
    lines += [f"open {place[node_id]} {how}" for node_id, how in document.top_layer.items() if node_id in place]
    lines.append(f"focus {place.get(document.focus, -1)}")
    return lines
