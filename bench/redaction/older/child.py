"""A process with one tree's code: it records, masks and builds today's places, or runs today's tests, and leaves what came of it in a folder.

It is started by :mod:`.trees` as a script, with the task in JSON. Nothing here looks for values.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import sys
import types
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

MOVED = {
    "pagereel.redaction.contracts.types": "pagereel.redaction.types",
    "pagereel.redaction.detect.secrets": "pagereel.redaction.secrets",
    "pagereel.redaction.detect.structured": "pagereel.redaction.structured",
    "pagereel.redaction.detect.unicode_tricks": "pagereel.redaction.fold",
    "pagereel.redaction.pictures.images": "pagereel.redaction.images",
}
"""Modules that tests import, and where older code has them."""
WANTING = ("pagereel.redaction.words.english", "pagereel.redaction.detect.scripts")
"""Modules that tests import and of which older code has nothing: a test that calls them ends with `NotImplementedError`, which says nothing of a value."""


def main(task: dict[str, Any]) -> None:
    """Do the task."""
    # What is installed is a finder of another tree: it would give that tree's modules for those that this one has not.
    sys.meta_path[:] = [f for f in sys.meta_path if not f.__module__.startswith("__editable___pagereel")]
    _stand_in_for_what_is_missing()
    out = Path(task["out"])
    told = {"sets": sets, "visit": visit, "tests": tests}[task["do"]](task, out)
    for name, module in sys.modules.items():
        file = str(getattr(module, "__file__", None) or task["package"])
        if name.partition(".")[0] == "pagereel" and not file.startswith(task["package"]):
            raise RuntimeError(f"{name} is another tree's: {file}")
    (out / "told.json").write_text(json.dumps(told), "utf-8")


def _stand_in_for_what_is_missing() -> None:
    """Names that today's places and tests import, where older code has them elsewhere."""
    import pagereel

    for new in (*MOVED, *WANTING):
        with contextlib.suppress(ImportError):
            importlib.import_module(new)
            continue
        with contextlib.suppress(ImportError):
            module = importlib.import_module(MOVED[new]) if new in MOVED else _Wanting(new)
            sys.modules.setdefault(parent := new.rpartition(".")[0], types.ModuleType(parent))
            sys.modules[new] = module
    if not hasattr(pagereel, "record"):
        from pagereel.recorder import Options

        known = inspect.signature(Options).parameters

        def record(target: object, path: Path, **options: Any) -> Any:
            from pagereel.recorder import record

            return record(target, path, **{name: value for name, value in options.items() if name in known})

        pagereel.record = record  # type: ignore[attr-defined]


class _Wanting(types.ModuleType):
    """A module of which every name is a function that is not there."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*_: object, **__: object) -> Any:
            raise NotImplementedError(f"{self.__name__}.{name}")

        return call


def masked(source: Path, target: Path, policy: str) -> dict[str, Any]:
    """Mask a recording. Returns whether the gate refused that, and what it knew; the masked recording is made all the same."""
    from pagereel.errors import GateError
    from pagereel.redaction import redact

    refused = False
    try:
        report = redact(source, target, policy)
    except GateError:
        refused = True
        report = redact(source, target, policy, gate=False)
    return {"refused": refused, "known": [value.text for value in report.known]}


def sets(task: dict[str, Any], out: Path) -> dict[str, Any]:
    """The recordings that are made by hand, masked by each policy."""
    from tests.redaction import more_places, newer_places, places

    told: dict[str, Any] = {}
    for module, values in ((places, places.Values), (more_places, more_places.Strange), (newer_places, newer_places.Newer)):  # fmt: skip
        name = module.__name__.rpartition(".")[2]
        made = values(int(task["seed"]))
        module.write(out / f"{name}.reel", made)  # type: ignore[arg-type]
        told[name] = {"planted": [[kind, place, value] for (kind, place), value in made.planted.items()]}
        for policy in task["policies"]:
            told[name][policy] = masked(out / f"{name}.reel", out / f"{name}.{policy}.reel", policy)
    return told


def visit(task: dict[str, Any], out: Path) -> dict[str, Any]:
    """The recorded visit to a site, masked and built by each policy."""
    from pagereel.errors import GateError
    from pagereel.player_build import build
    from tests.chromium import open_chromium
    from tests.redaction.strange_site import planted, recorded

    missing: list[str] = []
    told: dict[str, Any] = {"missing": missing}
    seen = [
        (replace(place, act=_if_there(place.name, place.act, missing)), value) for place, value in planted(task["seed"])
    ]
    with open_chromium() as browser:
        recorded(browser, seen, out / "visit.reel")
    build(out / "visit.reel", out / "visit.html", None)
    for policy in task["policies"]:
        reel = out / f"visit.{policy}.reel"
        told[policy] = masked(out / "visit.reel", reel, policy)
        try:
            if not told[policy]["refused"]:
                build(reel, reel.with_suffix(".html"), policy)
        except GateError:
            told[policy]["refused"] = True
    return told


Act = Callable[[Any, Any, Any], None]


def _if_there(name: str, act: Act | None, missing: list[str]) -> Act | None:
    """The act, or nothing where a session of the older code has no such method or parameter."""
    if act is None:
        return None

    def done(session: Any, page: Any, value: Any) -> None:
        try:
            act(session, page, value)
        except (AttributeError, TypeError):
            missing.append(name)

    return done


def tests(task: dict[str, Any], out: Path) -> dict[str, Any]:
    """Tests of today, and how each ended: passed, the assertion that failed, or what went wrong besides."""
    import pytest

    ended: dict[str, list[str]] = {}

    class Listening:
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
            report = yield
            if call.excinfo is not None:
                ended[item.nodeid] = _ending(call.excinfo)
            elif call.when == "call":
                ended.setdefault(item.nodeid, ["passed", ""])
            return report

        def pytest_collectreport(self, report: pytest.CollectReport) -> None:
            if report.failed:
                ended[report.nodeid] = ["not collected", str(report.longrepr)[-300:]]

    pytest.main(
        [
            "-q",
            "--no-header",
            "--tb=no",
            "--no-summary",
            "--continue-on-collection-errors",
            "-p",
            "no:cacheprovider",
            *(f"tests/redaction/{name}" for name in task["files"]),
        ],
        plugins=[Listening()],
    )
    return ended


def _ending(error: Any) -> list[str]:
    """What a test failed by: the statement of its own module's assertion, or an error's name."""
    last = error.traceback[-1]
    of_tests = Path(last.path).name.startswith(("test_", "found"))
    if isinstance(error.value, AssertionError) and of_tests:
        return ["asserted", str(last.statement)]
    return [type(error.value).__name__, str(error.value)[-200:]]


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
