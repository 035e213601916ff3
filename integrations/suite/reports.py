"""Reads the tests in a test runner's report: JUnit's XML (of pytest and others), or the JSON of Playwright Test."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from pagereel.errors import UsageError
from pagereel.text_truncation import truncate_text
from pagereel.user_files import read_file_limited

_LARGEST: Final = 200 << 20
"""Largest report, in bytes."""
_MESSAGE: Final = 500
"""Longest message, in characters."""
_LONGEST: Final = 1e12
"""Longest duration that is believed."""
_TESTS: Final = 50_000
"""Largest number of tests of a report."""
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
_DEPTH: Final = 50
_ENDED: Final = {"expected": "passed", "unexpected": "failed", "flaky": "flaky", "skipped": "skipped"}


@dataclass(frozen=True)
class ReportedTest:
    """A test as a test runner's report describes it."""

    name: str
    file: str
    outcome: str
    duration: float
    """ms"""
    key: str
    """What the test is called in reports of pytest: its module, class and name with points between them."""
    message: str = ""
    retries: int = 0
    tags: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    """Paths of files that belong to it."""


def make_test_key(file: str, name: str) -> str:
    """Return the name by which JUnit's XML identifies a test (`tests.test_shop.TestPay.test_card`).

    `file` and `name` are the parts of the test's pytest id.
    """
    return ".".join((re.sub(r"\.py$", "", file).replace("/", "."), name.replace("::", ".")))


def read_report(path: Path) -> list[ReportedTest]:
    """Return the tests in the report at `path`.

    :raises UsageError: the file is no report that can be read.
    """
    try:
        data = read_file_limited(path, _LARGEST)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        found = _iter_playwright_tests(orjson.loads(data)) if data.lstrip()[:1] == b"{" else _iter_junit_tests(data)
        tests = [test for test, _ in zip(found, range(_TESTS), strict=False)]
    except (ValueError, TypeError, AttributeError, KeyError, ET.ParseError) as error:
        raise UsageError(
            f"{path} is neither JUnit XML nor the JSON report of Playwright Test ({str(error)[:80]}); give what pytest --junit-xml or playwright --reporter=json wrote."
        ) from None
    if not tests:
        raise UsageError(f"{path} lists no test.")
    return tests


def _iter_junit_tests(data: bytes) -> Iterator[ReportedTest]:
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise ValueError("it declares a document type")
    for case in ET.fromstring(data).iter("testcase"):
        name, of = str(case.get("name") or ""), str(case.get("classname") or "")
        bad = next((each for tag in ("failure", "error") for each in case.iter(tag)), None)
        again = [each for each in case if each.tag in ("flakyFailure", "flakyError", "rerunFailure", "rerunError")]
        skipped = case.find("skipped")
        outcome = "failed" if bad is not None else "flaky" if again else "passed"
        if skipped is not None:
            outcome = "xfailed" if "xfail" in str(skipped.get("type")) else "skipped"
        told = next((each for each in (bad, *again, skipped) if each is not None), None)
        file, inner = _split_class_name(case.get("file"), of)
        yield ReportedTest(
            "::".join((*inner, name)),
            file,
            outcome,
            _read_duration(case.get("time")) * 1000,
            f"{of}.{name}",
            _shorten_message(told.get("message") or told.text) if told is not None else "",
            len(again),
        )


def _split_class_name(file: str | None, class_name: str) -> tuple[str, list[str]]:
    """Return the file and the classes of a test, from its class name in JUnit's XML (``tests.test_shop.TestPay``)."""
    parts = class_name.split(".")
    at = next((n for n, part in enumerate(parts) if part[:1].isupper()), len(parts))
    return file or ("/".join(parts[:at]) + ".py" if class_name else ""), parts[at:]


def _iter_playwright_tests(report: Any) -> Iterator[ReportedTest]:
    for suite in report["suites"]:
        yield from _iter_suite_tests(suite, (), 0)


def _iter_suite_tests(suite: Any, titles: tuple[str, ...], depth: int) -> Iterator[ReportedTest]:
    if depth > _DEPTH:
        return
    inner = (*titles, str(suite.get("title") or "")) if depth else ()
    for spec in suite.get("specs") or ():
        for test in spec.get("tests") or ():
            yield _read_spec_test(spec, test, inner)
    for each in suite.get("suites") or ():
        yield from _iter_suite_tests(each, inner, depth + 1)


def _read_spec_test(spec: Any, test: Any, titles: tuple[str, ...]) -> ReportedTest:
    results = test.get("results") or [{}]
    project = str(test.get("projectName") or "")
    name = " \u203a ".join((*filter(None, titles), str(spec.get("title") or "")))
    bad: dict[str, Any] = next((each for each in results if each.get("error")), {})
    files = [str(file.get("path")) for each in results for file in each.get("attachments") or () if file.get("path")]
    return ReportedTest(
        f"{name} [{project}]" if project else name,
        str(spec.get("file") or ""),
        _ENDED.get(str(test.get("status")), "unknown"),
        _read_duration(results[-1].get("duration")),
        "",
        _shorten_message((bad.get("error") or {}).get("message")),
        len(results) - 1,
        tuple(str(tag) for tag in spec.get("tags") or ()),
        tuple(files),
    )


def _read_duration(value: Any) -> float:
    """Return a duration in a report as a number; 0 if it is not finite (``nan``, ``inf``)."""
    length = float(value or 0)
    return min(max(length, 0.0), _LONGEST) if math.isfinite(length) else 0.0


def _shorten_message(message: object) -> str:
    return truncate_text(_COLOURS.sub("", str(message or "")).strip().partition("\n")[0], _MESSAGE)
