"""From a reel to one HTML file."""

from __future__ import annotations

import os
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import orjson

from pagereel import __version__
from pagereel.reel import PLACEHOLDER, Event, Json, Keys, Reel, kinds, open_reel
from pagereel.sources import open_any

from ..errors import BuildError, UsageError
from ..options import OnLeak, Redaction, Theme, redaction_of
from .chunks import Chunk, Chunker, deflate, plain
from .cut import Cut
from .fidelity import Fidelity
from .html import render, shell
from .limit import LeftOut, fit
from .pages import PAGE_KINDS, PageEvents
from .resources import Catalogue, Packer
from .summary import Summary
from .verify import ReplayDifference, ReplayReport, verify_replay

if TYPE_CHECKING:
    from presidio_analyzer import EntityRecognizer

    from pagereel.redaction import RedactionReport

THEMES: Final = ("auto", "light", "dark")
PAGES: Final = (".html", ".htm")

RUN_KINDS: Final = kinds(built="run")

BODY_BYTES: Final = 256 << 10
"""A body that is longer is not taken along to be read."""

BODIES_BYTES: Final = 4 << 20
"""All of them together; those that come later are left out."""

VERDICT_BYTES: Final = 4 << 10
"""What the verdict of a check may take of a file whose size is limited."""

_DIFFERENCES: Final = 20
"""So many differences stand in the file; the report has all."""

_READABLE: Final = re.compile(r"^text/(?!css|[\w.-]*(?:java|ecma)script)|json|xml|x-www-form-urlencoded", re.IGNORECASE)

Progress = Callable[[float], None]
"""Called now and then with the share that is done, 0 to 1."""


@dataclass
class BuildReport:
    """What was built."""

    destination: Path
    size: int
    """Bytes of the file."""
    duration: float
    """ms of recording."""
    events: int
    resources: int
    sealed: bool
    damage: str | None
    """Where the reel stops being readable, in words; ``None`` when it is whole."""
    fidelity: Fidelity
    """What the replay's claim to show what the page showed stands on."""
    gaps: int
    missing: list[str] = field(default_factory=list)
    """Addresses that the page showed and the recording does not have."""
    differences: list[ReplayDifference] = field(default_factory=list)
    """With `check`: where the file does not show what was recorded."""
    removed: int = 0
    """Attributes and texts that the sanitizer took out: 0 for a reel of pagereel's own recorder."""
    redaction: RedactionReport | None = None
    """The redaction's report; ``None`` for a raw build."""
    left_out: dict[str, LeftOut] = field(default_factory=dict)
    """What `max_size` left out, by kind."""


def build(
    source: str | os.PathLike[str],
    destination: str | os.PathLike[str],
    redaction: Redaction = "vendor",
    *,
    title: str | None = None,
    theme: Theme = "auto",
    start: float | None = None,
    end: float | None = None,
    max_size: int | None = None,
    zip: bool = False,
    compact: bool = False,
    stamp: str | None = None,
    vault: str | os.PathLike[str] | None = None,
    vault_key: Keys | None = None,
    check: bool = False,
    launch: Mapping[str, Any] | None = None,
    on_leak: OnLeak = "fail",
    recognizers: Sequence[EntityRecognizer] = (),
    progress: Progress | None = None,
) -> BuildReport:
    """Build the replay of the reel `source` as one HTML file at `destination`.

    The reel is redacted first with `redaction`: the name of a policy, the path of a policy file, or a ``Policy``; ``None`` or ``off`` builds
    what was recorded as it was recorded. A recording or replay that was masked with the policy of this name is taken as it is, unless a
    `title`, a `vault` or `recognizers` are given.
    `title` stands in the window's title and is masked with the rest, `theme` is ``auto``, ``light`` or ``dark``. `start` and `end` (ms) cut a part
    out of the recording (see ``cut.py``). `max_size` (bytes) leaves things out until the file is within it, in the order
    media, fonts, images, bodies; the file and the report say what. `zip` writes a ZIP archive that holds the replay, for
    places that refuse HTML. `compact` writes bytes instead of base64, for a file a quarter smaller that only survives what
    leaves every byte alone (see ``reel/pieces.py``). `stamp` is kept in the file as it is (in a ZIP archive as its comment),
    see ``stamp_of()``. `vault` and `vault_key` write the originals of what is masked into a file of their own, see ``redact()``. `check` opens the file, holds it against the recording as ``verify_replay()`` does, and writes what came of
    it into the file; `launch` is for that browser. Without it the file says that it was not looked at. A damaged or unsealed reel is built up to the damage and the file says so. The file appears whole or
    not at all. `on_leak` ``drop`` leaves out what holds a known value after all, and `recognizers` are Presidio's, of your own: see ``redact()``.

    Raises UsageError for wrong arguments, ReelError for what is no reel, PolicyError and GateError from the
    redaction, BuildError when the file cannot be written.
    """
    redaction = redaction_of(redaction)
    if theme not in THEMES:
        raise UsageError(f"theme={theme!r} is none of {', '.join(THEMES)}.")
    if start is not None and not 0 <= start < float("inf"):
        raise UsageError(f"start={start:g} is no time of a recording; give at least 0 ms.")
    if end is not None and not end > (start or 0):
        raise UsageError(f"A part from {start or 0:g} to {end:g} ms holds nothing; give two times in their order.")
    source, destination = Path(source), Path(destination)
    if destination.is_dir():
        raise UsageError(
            f"{destination} is a folder; give the path of the file to write, for example {destination / 'run.html'}."
        )
    if not destination.parent.is_dir():
        raise UsageError(f"{destination.parent} does not exist; create it first, or give another path for the replay.")
    if destination.exists() and source.exists() and destination.samefile(source):
        raise UsageError(f"{destination} is the recording itself; give another path for the replay.")
    _check_name(destination, zip)
    if vault is not None and redaction is None:
        raise UsageError("A vault leads back from what was masked; this build masks nothing.")
    if recognizers and redaction is None:
        raise UsageError("Recognizers say what is masked; this build masks nothing.")
    with _reel_to_show(source, redaction, title, vault, vault_key, on_leak, recognizers) as (reel, redacted):
        if redacted and title is not None:
            title = str(reel.header.get("title") or "")  # as it may be shown
        cut = Cut.of(reel.events() if start else (), start, end)

        def made(*, short: bool = False) -> tuple[_Built, Callable[[], Iterator[bytes]]]:
            """Return what is built, and the file as it is by now."""
            built = _Built.make(reel, progress, cut, short=short)
            if redacted:  # Else it is what the reel says of itself.
                built.summary.info["redaction"] = cast(Json, redacted.report)
                built.pages.missing |= set(redacted.result.lost.values())
            if vault is not None:  # to be built again as it was recorded
                built.summary.info["built"] = {
                    "stem": source.stem, "title": title, "theme": theme, "start": start, "end": end, "max_size": max_size,
                    "compact": compact,
                }  # fmt: skip
            hidden = redaction is not None if redacted is None else not redacted.shows(source.stem)
            shown = title or built.summary.title or ("Recording" if hidden else source.stem)
            return built, lambda: render(shown, theme, built.pieces(built.index(shown)), stamp, compact=compact)

        built, parts = made()
        left: dict[str, LeftOut] = {}
        if max_size is not None and check:
            max_size -= VERDICT_BYTES
        if max_size is not None:
            left, size = built.fit(parts, max_size)
            if size > max_size and built.pages.inline:
                built, parts = made(short=True)
                left, size = built.fit(parts, max_size)
            if size > max_size:
                raise BuildError(
                    f"The replay does not fit into {max_size} bytes: without media, fonts, images and bodies it has {size}; "
                    "cut a part out of it (--from, --to), or allow more."
                )
        if check:
            with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
                opened = Path(folder) / "replay.html"
                _write(opened, parts(), None)
                built.checked = verify_replay(opened, launch=launch)
        size = _write(destination, parts(), redacted.gate if redacted else None, source.stem if zip else None, stamp)
    report = built.report(destination, size)
    report.left_out = left
    report.redaction = redacted.result if redacted else None
    return report


def missing_of(reel: Reel) -> list[str]:
    """Addresses for which the recorded pages got something whose bytes the recording does not have."""
    return sorted(_pages_of(reel).missing)


def unknown_of(reel: Reel) -> list[str]:
    """Addresses that the recorded pages name and that the recording has nothing of: of another tool's, those that it kept no bytes of."""
    return sorted(_pages_of(reel).unknown)


def _pages_of(reel: Reel) -> PageEvents:
    pages = PageEvents(Catalogue.of(reel), Packer())
    for event in reel.timeline():
        if event["k"] in PAGE_KINDS and isinstance(event.get("t"), int | float):
            pages.ready(event)
    return pages


@dataclass
class _Redacted:
    result: Any
    report: Any
    """As JSON, for the file."""
    gate: Callable[[Path], object]
    """Raises GateError when a known value stands in the file."""
    shows: Callable[[str], bool]
    """Whether a text, such as the recording's file name, may be shown: no known value stands in it."""


@contextmanager
def _reel_to_show(
    source: Path,
    redaction: Redaction,
    title: str | None,
    vault: str | os.PathLike[str] | None,
    vault_key: Keys | None,
    on_leak: OnLeak,
    recognizers: Sequence[EntityRecognizer],
) -> Iterator[tuple[Reel, _Redacted | None]]:
    """Give the reel that may be shown: the one place where a build meets redaction."""
    if redaction is None:
        with open_any(source) as reel:
            yield reel, None
        return
    with open_any(source):  # Says at once what is wrong with it.
        pass
    import pagereel.redaction as room

    if title is None and vault is None and not recognizers and room.masked_already(source, redaction):
        with open_any(source) as reel:
            yield reel, None
        return
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        masked = Path(folder) / "masked.reel"
        result = room.redact(
            source,
            masked,
            redaction,
            gate=False,
            title=title,
            vault=vault,
            vault_key=vault_key,
            on_leak=on_leak,
            recognizers=recognizers,
        )
        try:
            with open_reel(masked) as reel:
                yield (
                    reel,
                    _Redacted(
                        result,
                        result.to_json(),
                        lambda path: room.gate_html(plain(path.read_bytes()), result, shell=shell().encode()),
                        lambda text: room.gate_html(f'"{text}"'.encode(), result, check=False).clean,
                    ),
                )
        except BaseException:
            if vault is not None:  # a vault of a replay that there is not
                Path(vault).unlink(missing_ok=True)
            raise


@dataclass
class _Built:
    reel: Reel
    page: Chunker
    run: Chunker
    pages: PageEvents
    packer: Packer
    summary: Summary
    bodies: int = 0
    """Bytes of bodies that were taken along to be read."""
    deflated: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    """Packs by number: bytes before, and what deflate made of them."""
    checked: ReplayReport | None = None
    """What came of opening the file."""

    @classmethod
    def make(cls, reel: Reel, progress: Progress | None, cut: Cut, *, short: bool = False) -> _Built:
        catalogue = Catalogue.of(reel)
        packer = Packer()
        built = cls(
            reel, Chunker("page"), Chunker("run"), PageEvents(catalogue, packer, short=short), packer, Summary(reel)
        )
        if reel.end is not None and cut.whole:
            built.summary.info["end"] = reel.end.get("t")
        if cut.start > 0:  # on whose clock the events are
            built.summary.info["start"] = cut.start
        done, total = 0, max(1, built.summary.expected)
        last = 0.0
        for event in reel.timeline():
            done += 1
            if progress and done % 500 == 0:
                progress(min(1.0, done / total))
            kind = event["k"]
            t = event.get("t")
            if not isinstance(t, int | float):
                continue
            last = max(last, t)  # A document's message never stands before an earlier one of it.
            event = {**event, "t": last}
            if kind == "redaction":  # Of the whole reel, wherever it stands.
                built.summary.see(event)
                continue
            if not cut.keeps(event):
                if last < cut.start:
                    built.summary.follow({**event, "t": 0.0})
                continue
            event = cut.moved(event)
            if kind in PAGE_KINDS:
                ready = built.pages.ready(event)
                built.page.add(ready)
                built.summary.see(ready)
            elif kind in RUN_KINDS:
                built.run.add(built.run_event(event))
                built.summary.see(event)
        built.page.cut()
        built.run.cut()
        return built

    def fit(self, parts: Callable[[], Iterator[bytes]], limit: int) -> tuple[dict[str, LeftOut], int]:
        """Leave out what must go for a file of `limit` bytes; `parts` gives the file as it is by now. Gives what went, and the bytes then."""

        def size() -> int:
            return sum(map(len, parts()))

        left = fit(self.packer, size, limit)
        if self.pages.shortened.count:
            left["addresses"] = self.pages.shortened
        self.summary.info["leftOut"] = {kind: {"count": out.count, "bytes": out.bytes} for kind, out in left.items()}
        return left, size()

    def run_event(self, event: Event) -> Event:
        """Return a run event as the file holds it: a screenshot's or checkpoint's picture and what was sent and answered become resources."""
        if event["k"] in ("screenshot", "picture"):
            body = self.pages.catalogue.bodies.get(str(event.get("body")))
            if body is not None:
                return {**event, "body": f"{PLACEHOLDER}{self.packer.number(event['body'], body.mime, body.data)}"}
        elif event["k"] == "request" and "post" in event:
            return {**event, "post": self.text_body(event["post"])}
        elif event["k"] == "response":
            return self._response(event)
        elif event["k"] == "message" and "body" in event:
            return {**event, "body": self.text_body(event["body"])}
        return event

    def _response(self, event: Event) -> Event:
        """Return an answer with its body where that can be read, and without the cookies that a recording of a world has."""
        headers = event.get("headers")
        if isinstance(headers, dict) and any(name.lower() == "set-cookie" for name in headers):
            event = {**event, "headers": {k: v for k, v in headers.items() if k.lower() != "set-cookie"}}
        return {**event, "body": self.text_body(event["body"])} if "body" in event else event

    def text_body(self, sha256: Json) -> str | None:
        """Return a body that can be read, as a resource of plain text; None for all else, and when there are too many."""
        body = self.pages.catalogue.bodies.get(str(sha256))
        if body is None or not _READABLE.search(body.mime) or not 0 < len(body.data) <= BODY_BYTES:
            return None
        if self.bodies + len(body.data) > BODIES_BYTES:
            return None
        self.bodies += len(body.data)
        text = body.data.decode("utf-8", "replace").encode()
        return f"{PLACEHOLDER}{self.packer.number((sha256, 'body'), 'text/plain', text)}"

    def chunks(self) -> list[Chunk]:
        return [*self.run.chunks, *self.page.chunks]

    def index(self, title: str) -> bytes:
        """Return what the player reads first."""
        info = self.summary.info
        info["sizes"] = {
            "reel": self.reel.size,
            "events": self.page.raw + self.run.raw,
            "resources": self.packer.bytes,
        }
        told = self.fidelity().to_json()
        if self.checked is not None and self.checked.differences:
            told["differences"] = [str(each)[:300] for each in self.checked.differences[:_DIFFERENCES]]
        info["fidelity"] = cast(Json, told)
        info["missing"] = cast(Json, sorted(self.pages.missing)[:200])
        return orjson.dumps(
            {
                "version": 1,
                "player": __version__,
                "title": title,
                "duration": self.summary.duration,
                "opens": self.summary.opening.time or 0,
                "idle": self.summary.idle(),
                "tabs": self.summary.tabs,
                "chunks": [[c.stream, c.start, c.end, c.events, c.raw] for c in self.chunks()],
                "resources": [[r.pack, r.offset, r.length, r.mime] for r in self.packer.resources],
                "info": info,
            }
        )

    def pieces(self, index: bytes) -> Iterator[tuple[str, bytes]]:
        """In the order in which the player wants them: a browser shows the first while it reads the rest."""
        yield "index", deflate(index)
        for number, chunk in enumerate(self.chunks()):
            yield f"chunk-{number}", chunk.data
        for number, pack in enumerate(self.packer.packs()):
            length, data = self.deflated.get(number, (-1, b""))
            if length != len(pack):  # Leaving things out makes it shorter, and asks for the size again and again.
                self.deflated[number] = length, data = len(pack), deflate(pack)
            yield f"pack-{number}", data

    def fidelity(self) -> Fidelity:
        """Return what came of opening the file; without that, the recording's own checks, and what has no bytes."""
        if self.checked is not None:
            return self.checked.fidelity
        return Fidelity(self.summary.tree, missing=len(self.pages.missing))

    def report(self, destination: Path, size: int) -> BuildReport:
        return BuildReport(
            destination=destination,
            size=size,
            duration=self.summary.duration,
            events=sum(chunk.events for chunk in self.chunks()),
            resources=len(self.packer.resources),
            sealed=self.reel.sealed,
            damage=str(self.reel.damage) if self.reel.damage else None,
            fidelity=self.fidelity(),
            gaps=self.summary.gaps,
            missing=sorted(self.pages.missing),
            removed=self.pages.sanitizer.removed,
            differences=self.checked.differences if self.checked else [],
        )


def _check_name(destination: Path, zipped: bool) -> None:
    """Raise UsageError where the name says that something else is in the file than will be."""
    name, ending = destination.name, destination.suffix.lower()
    if zipped and ending in PAGES:
        raise UsageError(f"{name} is the name of a page, and --zip writes an archive; name it {destination.stem}.zip.")
    if not zipped and ending == ".zip":
        raise UsageError(
            f"{name} is the name of an archive, and what is built is a page; add --zip, or name it {destination.stem}.html."
        )
    if ending == ".reel":
        raise UsageError(
            f"{name} is the name of a recording, and what is built is a page; name it {destination.stem}.html."
        )


def _write(
    destination: Path,
    parts: Iterator[bytes],
    gate: Callable[[Path], object] | None,
    zipped: str | None = None,
    stamp: str | None = None,
) -> int:
    """Write the file beside its place, let the gate look at it, then move it there. Gives its size in bytes.

    `zipped`: put it into a ZIP archive, under this name, with `stamp` as its comment.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{destination.name}.", suffix=".part", dir=destination.parent)
    except OSError as error:
        raise BuildError(f"{destination} cannot be written: {error.strerror}; give another path.") from None
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
        if gate is not None:
            gate(part)
        if zipped is not None:
            packed = part.with_suffix(".zip")
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(part, f"{zipped}.html")
                archive.comment = (stamp or "").encode()
            packed.replace(part)
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(destination)
    except OSError as error:
        raise BuildError(
            f"{destination} cannot be written: {error.strerror}; free some space or give another path."
        ) from None
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return destination.stat().st_size
