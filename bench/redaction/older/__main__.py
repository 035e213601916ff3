"""The bench's command."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.redaction.older import __doc__ as about
from bench.redaction.older.kinds import FILES, KINDS, TESTS, claims_of, headings, kind_of
from bench.redaction.older.trees import ROOT, package_of, run, tree_of
from tests.redaction.places import Values
from tests.redaction.strange_oracle import found_in, traces_of
from tests.redaction.strange_site import planted
from tests.redaction.strange_values import squashed
from tests.redaction.test_places import readings, told

COMMIT = "0b15edd"
"""The last commit before the first one for the issue that asked for canaries of each kind (22 November 2026, 09:18)."""
SETS = ("places", "more_places", "newer_places")
SHORTEST = 5
"""Letters of a known value that make a place's value known as well."""


@dataclass
class Told:
    """What one code's recordings tell, by place (`set/its kind: place`)."""

    places: list[str] = field(default_factory=list)
    recorded: set[str] = field(default_factory=set)
    masked: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By policy, the places whose value is left."""
    unknown: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Of these, the places of whose value the redaction knew nothing, so that no gate could refuse it."""
    refused: list[str] = field(default_factory=list)
    """Recordings that the gate refused: of these the masked recording is looked through, without a replay."""
    missing: list[str] = field(default_factory=list)
    """Places of things that an agent can tell today alone."""
    tests: dict[str, list[str]] = field(default_factory=dict)


def main(arguments: list[str]) -> int:
    """0 unless a place tells its value with today's code."""
    parser = argparse.ArgumentParser(prog="python -m bench.redaction.older", description=(about or "").split("\n")[0])
    parser.add_argument("--commit", default=COMMIT, help="the older code")
    parser.add_argument("--policy", nargs="+", default=["vendor"], choices=("internal", "vendor", "strict"))
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="for the values")
    parser.add_argument("--json", type=Path, help="write there which places tell their values")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="pagereel-older-") as folder:
        work = Path(folder)
        with tree_of(options.commit, work) as tree:
            older = tell(tree, work / "older", str(options.seed), options.policy)
        today = tell(ROOT, work / "today", str(options.seed), options.policy)
    print(f"seed {options.seed}, older code {options.commit}")
    for policy in options.policy:
        print(table(policy, older, today))
    print(tests_table(older.tests, today.tests))
    print("\n".join(_notes(f"with {options.commit}", older) + _notes("with today's code", today)))
    if options.json:
        options.json.write_text(
            json.dumps({"seed": options.seed, "older": vars(older), "today": vars(today)}, indent=1, default=sorted)
        )
    return int(any(today.masked.values()))


def tell(tree: Path, folder: Path, seed: str, policies: list[str]) -> Told:
    """Record, mask and build with a tree's code, and look through what came of it."""
    package = package_of(tree, folder / "package")
    out = Told()
    made = run(tree, package, folder / "sets", do="sets", seed=seed, policies=policies)
    for name in SETS:
        _of_a_set(name, made[name], folder / "sets", policies, out)
    made = run(tree, package, folder / "visit", do="visit", seed=seed, policies=policies)
    out.missing = made["missing"]
    _of_the_visit(made, folder / "visit", seed, policies, out)
    out.tests = run(tree, package, folder / "tests", do="tests", files=FILES)
    return out


def _of_a_set(name: str, made: dict[str, Any], folder: Path, policies: list[str], out: Told) -> None:
    values = Values(0)
    values.planted = {(kind, place): value for kind, place, value in made["planted"]}
    named = {f"{kind}: {place}": value for (kind, place), value in values.planted.items()}
    out.places += [f"{name}/{place}" for place in named]
    out.recorded |= {f"{name}/{place}" for place in told(readings(folder / f"{name}.reel"), values)}
    for policy in policies:
        left = told(readings(folder / f"{name}.{policy}.reel"), values)
        out.masked[policy] |= {f"{name}/{place}" for place in left}
        out.unknown[policy] |= {f"{name}/{p}" for p in left if not _known([squashed(named[p])], made[policy]["known"])}
        if made[policy]["refused"]:
            out.refused.append(f"{name} ({policy})")


def _of_the_visit(made: dict[str, Any], folder: Path, seed: str, policies: list[str], out: Told) -> None:
    seen = planted(seed)
    above = headings()
    traces = {place.name: traces_of(place, value) for place, value in seen}
    label = lambda name: f"{above[name]}: {name}"  # noqa: E731
    out.places += [label(place.name) for place, _ in seen]
    for file in ("visit.reel", "visit.html"):
        out.recorded |= {label(name) for name in found_in(folder / file, seen)}
    for policy in policies:
        files = [folder / f"visit.{policy}{ending}" for ending in (".reel", ".html")]
        left = {name for file in files if file.is_file() for name in found_in(file, seen)}
        out.masked[policy] |= {label(name) for name in left}
        out.unknown[policy] |= {label(name) for name in left if not _known(traces[name], made[policy]["known"])}
        if made[policy]["refused"]:
            out.refused.append(f"the visit ({policy})")


def _known(traces: list[str], known: list[str]) -> bool:
    """Whether a value, or a part of it, is among those that a gate looks for."""
    words = [word for word in map(squashed, known) if len(word) >= SHORTEST]
    return any(word in trace or trace in word for trace in traces for word in words)


def table(policy: str, older: Told, today: Told) -> str:
    """By kind, how many places tell their value, of those that were recorded."""
    rows: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for place in today.places:
        rows.setdefault(kind_of(place), []).append(place)
    lines = [
        f"| kind ({policy}) | places | recorded | told by the older code | unknown to its gate | recorded today | told today |",
        "|---|---|---|---|---|---|---|",
    ]
    rows["all"] = today.places
    for kind, among in rows.items():
        chosen = set(among)
        figures = (chosen, older.recorded & chosen, older.masked[policy] & chosen, older.unknown[policy] & chosen,
                   today.recorded & chosen, today.masked[policy] & chosen)  # fmt: skip
        lines.append(f"| {kind} | {' | '.join(str(len(figure)) for figure in figures)} |")
    return "\n".join(lines)


def tests_table(older: dict[str, list[str]], today: dict[str, list[str]]) -> str:
    """By kind, how many tests fail by their assertion about a value. What fails otherwise is counted apart."""
    lines = [
        "| kind (tests) | tests | told by the older code | ended otherwise there | told today | otherwise |",
        "|---|---|---|---|---|---|",
    ]
    for kind in TESTS:
        then, now = claims_of(kind, older), claims_of(kind, today)
        counts = [len(now)]
        for ended in (then, now):
            leaks = sum(how == "told" for how in ended.values())
            counts += [leaks, len(now) - leaks - sum(how == "passed" for how in ended.values())]
        lines.append(f"| {kind} | {' | '.join(map(str, counts))} |")
    return "\n".join(lines)


def _notes(whose: str, told: Told) -> list[str]:
    lines = []
    if told.refused:
        lines.append(
            f"{whose}: the gate refused {', '.join(told.refused)}, so there would be no file; the masked recording alone was looked through."
        )
    if told.missing:
        lines.append(f"{whose}: a session has nothing for {', '.join(told.missing)}.")
    for policy, places in told.masked.items():
        if places and whose.startswith("with today"):
            lines.append(f"{whose}, {policy}: {', '.join(sorted(places))}.")
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
