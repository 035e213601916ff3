"""Bundles recordings of many tests into one HTML file."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pagereel.errors import GateError, UsageError
from pagereel.options import Redaction, Theme, normalize_redaction_option
from pagereel.reading import RecordedRun
from pagereel.reel import Json, ReelWriter, remote_stores

from .earlier_suite import mark_outcome_changes, read_earlier_outcomes
from .matching_reports import match_recordings
from .reports import ReportedTest, read_report
from .suite_tests import SuiteSearchIndex, SuiteTest, merge_report, read_test_run, sort_tests

if TYPE_CHECKING:
    from pagereel.redaction import Gate

_USUAL: Final = re.compile(r"(?:trace|replay|run|recording)(?:-\d+)?")
"""Names of recordings that say nothing: the folder's does."""

PathLike = str | os.PathLike[str]
Progress = Callable[[str, int, int], None]
"""Called with what is done, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class BundleReport:
    """The result of bundling a suite: the written file, its size, and the number of tests by outcome."""

    destination: Path
    size: int
    """Size of the file in bytes."""
    recordings: int
    outcomes: dict[str, int]
    """How many tests ended how."""
    notes: list[str] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """Return a sentence with the number of tests that passed, failed and so on."""
        return _summarize_outcomes(self.outcomes)


@dataclass(frozen=True)
class _MaskedSuite:
    """The masked recordings and texts of a suite, and the gate that checks the file made of them."""

    recordings: list[Path]
    gate: Gate | None
    texts: list[Json]
    report: Json
    """What was masked; None: nothing."""


def bundle_suite(
    sources: Sequence[PathLike],
    destination: PathLike,
    redaction: Redaction = "vendor",
    *,
    junit: PathLike | None = None,
    reported: Sequence[ReportedTest] = (),
    previous: PathLike | None = None,
    title: str | None = None,
    theme: Theme = "auto",
    progress: Progress | None = None,
) -> BundleReport:
    """Write the recordings of a suite's tests as one HTML file. They are masked jointly: a person has one stand-in in
    all of them.

    :param sources: paths of recordings of any kind, or patterns (``*``, ``?``, ``[…]``, ``**``).
    :param redaction: as in :func:`pagereel.build`; None shows the recordings as they are.
    :param junit: a test report, for tests without recordings, durations and messages: JUnit's XML, or the JSON of
    Playwright Test. `reported`: the same as parsed tests.
    :param previous: an earlier suite's file, to mark which tests newly fail, are fixed or flaky since.
    :param title: the file's title; masked as everything else.
    :raises UsageError: nothing matches. ReelError: one of the files is no recording. GateError: the finished file contains a known value; nothing was written.
    """
    policy = normalize_redaction_option(redaction)
    destination = Path(destination)
    if junit is not None:
        reported = [*reported, *read_report(Path(junit))]
    before = read_earlier_outcomes(Path(previous)) if previous is not None else None
    paths = _find_recordings(sources, destination)
    if not paths and not reported:
        raise UsageError(
            "Nothing was found to bundle; give reels, trace.zip files or replays, or patterns of their paths."
        )
    numbers = match_recordings(reported, paths)
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        stems = [_get_recording_name(path) for path in paths]
        texts = [title or "Tests", *stems, *(text for each in reported for text in _list_report_texts(each))]
        shown = _mask_suite(paths, policy, texts, Path(folder), progress)
        words = SuiteSearchIndex()
        found, reports = _build_tests(shown, words, progress)
        report = shown.report if policy is not None else reports[0] if reports and all(reports) else None
        tests = merge_report(
            found, zip(_apply_masked_texts(reported, shown.texts[1 + len(paths) :]), numbers, strict=True)
        )
        for test in tests:
            test.set_outcome()
        tests = sort_tests(tests)
        if before is not None:
            mark_outcome_changes(tests, before)
        outcomes = Counter(test.outcome for test in tests)
        fields: dict[str, Json] = {"tests": [test.to_json() for test in tests], "info": {"redaction": report}}
        titles = {run.number: test.title for test in tests for run in test.runs}
        from pagereel.player_build import SuiteRecording, build_suite

        def require_no_leak(html: bytes, shell: bytes) -> None:
            if shown.gate is not None:
                shown.gate.with_player_shell(shell).raise_on_leak(html, "the suite")

        made = build_suite(
            [SuiteRecording(path, titles[number]) for number, path in enumerate(shown.recordings)],
            fields,
            words.to_slices(),
            destination,
            title=str(shown.texts[0]),
            summary=_summarize_outcomes(outcomes),
            theme=theme,
            gate=require_no_leak,
            progress=(lambda done, total: progress("build", done, total)) if progress else None,
        )
    return BundleReport(made.destination, made.size, made.recordings, dict(outcomes))


def _find_recordings(sources: Sequence[PathLike], destination: Path) -> list[Path]:
    """Return the paths that patterns and names match, each once and without the destination."""
    names = [name for source in sources for name in remote_stores.expand_pattern(os.fspath(source))]
    found = {path.resolve(): path for path in map(Path, names)}
    found.pop(destination.resolve(), None)
    return list(found.values())


def _mask_suite(
    paths: Sequence[Path], policy: Redaction, texts: Sequence[str], folder: Path, progress: Progress | None
) -> _MaskedSuite:
    """Mask the recordings and texts jointly into `folder`; with `policy` None return them unchanged."""
    if policy is None:
        return _MaskedSuite(list(paths), None, [*texts], None)
    from pagereel.redaction import redact_many

    # Texts are masked together with a recording that was not masked before: without one nothing would mask them.
    empty = folder / "empty.reel"
    ReelWriter(empty, {}).close("done")
    masked = redact_many(
        [(path, folder / f"{number}.reel") for number, path in enumerate([empty, *paths])],
        policy,
        values=[(text, "text") for text in texts],
        progress=progress,
    )
    report: Json = RecordedRun(masked.reels[0]).redaction
    return _MaskedSuite(masked.reels[1:], masked.gate, masked.values, report)


def _list_report_texts(test: ReportedTest) -> list[str]:
    return [test.name, test.file, test.message, *test.tags]


def _apply_masked_texts(reported: Sequence[ReportedTest], texts: Sequence[Json]) -> list[ReportedTest]:
    """Return the tests of a report with their masked texts."""
    left = iter(map(str, texts))
    return [
        replace(each, name=next(left), file=next(left), message=next(left), tags=tuple(next(left) for _ in each.tags))
        for each in reported
    ]


def _build_tests(
    masked_suite: _MaskedSuite, search_index: SuiteSearchIndex, progress: Progress | None
) -> tuple[list[SuiteTest], list[Json]]:
    """Return a test for each masked recording, and the report of each recording's earlier redaction.

    The texts of the recordings are added to the search index `search_index`.
    """
    tests: list[SuiteTest] = []
    reports: list[Json] = []
    for number, (path, stem) in enumerate(zip(masked_suite.recordings, masked_suite.texts[1:], strict=False)):
        recording = RecordedRun(path)
        test, run = read_test_run(recording, number, _make_safe_name(str(stem), number, masked_suite.gate))
        test.runs.append(run)
        tests.append(test)
        reports.append(recording.redaction)
        search_index.add_recording(path, recording, number)
        if progress:
            progress("read", number + 1, len(masked_suite.recordings))
    return tests, reports


def _get_recording_name(path: Path) -> str:
    """Return a recording's name: its file name without ending, or its folder's name if the file has a generic one
    (`trace.zip`).
    """
    name = path.parent.name if path.parent.name and _USUAL.fullmatch(path.stem) else path.stem
    return name.encode("utf-8", "replace").decode()  # A file's name need not be UTF-8.


def _make_safe_name(name: str, number: int, gate: Gate | None) -> str:
    """Return a masked file name, or `recording N` if the name still contains a known value."""
    if gate is not None:
        try:
            gate.raise_on_leak(f'"{name}"', "the suite")
        except GateError:
            return f"recording {number + 1}"
    return name


def _summarize_outcomes(outcomes: Mapping[str, int]) -> str:
    text = ", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items()))
    count = sum(outcomes.values())
    return f"{count} test{'' if count == 1 else 's'}: {text}."
