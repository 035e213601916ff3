"""Bundles recordings of many tests into one HTML file."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.errors import GateError, UsageError
from pagereel.options import Redaction, Theme, redaction_of
from pagereel.reading import RecordedRun
from pagereel.reel import Json, stores

from .suite_tests import SuiteTest, SuiteWords, in_order, run_of

if TYPE_CHECKING:
    from pagereel.redaction import Gate

PathLike = str | os.PathLike[str]
Progress = Callable[[str, int, int], None]
"""Called with what is done, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class BundleReport:
    """The result of a bundle."""

    destination: Path
    size: int
    """Size of the file in bytes."""
    recordings: int
    outcomes: dict[str, int]
    """How many tests ended how."""
    notes: list[str] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """Return how the tests ended, in a sentence."""
        return _summary(self.outcomes)


@dataclass(frozen=True)
class _Shown:
    """The recordings as they may be shown, and the gate for the file made of them."""

    recordings: list[Path]
    gate: Gate | None
    texts: list[Json]


def bundle(
    sources: Sequence[PathLike],
    destination: PathLike,
    redaction: Redaction = "vendor",
    *,
    title: str | None = None,
    theme: Theme = "auto",
    progress: Progress | None = None,
) -> BundleReport:
    """Write the recordings of a suite's tests as one HTML file. They are masked jointly: a person has one stand-in in all of them.

    :param sources: paths of recordings of any kind, or patterns (``*``, ``?``, ``[…]``, ``**``).
    :param redaction: as in :func:`pagereel.build`; None shows the recordings as they are.
    :param title: the file's title; masked as everything else.
    :raises UsageError: nothing matches. ReelError: one of the files is no recording. GateError: the finished file contains a known value; nothing was written.
    """
    policy = redaction_of(redaction)
    destination = Path(destination)
    paths = _paths(sources, destination)
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        shown = _masked(paths, policy, [title or "Tests"], Path(folder), progress)
        tests, words = _tests(shown.recordings, paths, shown.gate, progress)
        outcomes = Counter(test.outcome for test in tests)
        told: dict[str, Json] = {
            "tests": [test.to_json() for test in tests],
            "info": {"redaction": _report(shown.recordings[0])},
        }
        titles = {run.number: run.title for test in tests for run in test.runs}
        from pagereel.player_build import SuiteRecording, build_suite

        def check(html: bytes, shell: bytes) -> None:
            if shown.gate is not None:
                shown.gate.with_shell(shell).check(html, "the suite")

        made = build_suite(
            [SuiteRecording(path, titles[number]) for number, path in enumerate(shown.recordings)],
            told,
            words.to_json(),
            destination,
            title=str(shown.texts[0]),
            summary=_summary(outcomes),
            theme=theme,
            gate=check,
            progress=(lambda done, total: progress("build", done, total)) if progress else None,
        )
    return BundleReport(made.destination, made.size, made.recordings, dict(outcomes))


def _paths(sources: Sequence[PathLike], destination: Path) -> list[Path]:
    """Return the recordings that patterns and paths name, each once. Raises UsageError where there are none."""
    names = [name for source in sources for name in stores.expand(os.fspath(source))]
    found = {path.resolve(): path for path in map(Path, names)}
    found.pop(destination.resolve(), None)
    if not found:
        raise UsageError(
            "There is no recording to bundle; give paths or patterns of reels, trace.zip files or replays."
        )
    return list(found.values())


def _masked(
    paths: Sequence[Path], policy: Redaction, texts: Sequence[str], folder: Path, progress: Progress | None
) -> _Shown:
    """Return the recordings and the texts as they may be shown."""
    if policy is None:
        return _Shown(list(paths), None, [*texts])
    from pagereel.redaction import redact_many

    masked = redact_many(
        [(path, folder / f"{number}.reel") for number, path in enumerate(paths)],
        policy,
        values=[(text, "text") for text in texts],
        progress=progress,
    )
    return _Shown(masked.reels, masked.gate, masked.values)


def _tests(
    shown: Sequence[Path], paths: Sequence[Path], gate: Gate | None, progress: Progress | None
) -> tuple[list[SuiteTest], SuiteWords]:
    """Return the tests in the order of the list, and the lines to search. Only what may be shown is read."""
    tests: dict[tuple[str, str], SuiteTest] = {}
    words = SuiteWords()
    for number, (path, source) in enumerate(zip(shown, paths, strict=True)):
        recording = RecordedRun(path)
        test, run = run_of(recording, number, _stem(source, number, gate))
        known = tests.setdefault((test.file, test.name), test)
        known.runs.append(run)
        words.add(path, recording, number)
        if progress:
            progress("read", number + 1, len(shown))
    for test in tests.values():
        test.finish()
    return in_order([*tests.values()]), words


def _stem(path: Path, number: int, gate: Gate | None) -> str:
    """Return the name of a file without its ending; a number where the name contains a known value."""
    if gate is not None:
        try:
            gate.check(f'"{path.stem}"', "the suite")
        except GateError:
            return f"recording {number + 1}"
    return path.stem


def _report(path: Path) -> Json:
    """Return what a masked recording says of its redaction; None: it is not masked."""
    report: Json = RecordedRun(path).redaction
    return report


def _summary(outcomes: Mapping[str, int]) -> str:
    said = ", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items()))
    count = sum(outcomes.values())
    return f"{count} test{'' if count == 1 else 's'}: {said}."
