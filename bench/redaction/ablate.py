"""Leaves each finder, filter, cue and rule of the detector out in turn, and prints what it gains on held-out lines.

    python -m bench.redaction.ablate                                    # data from PAGEREEL_PII_DATA, else ../shared/data/
    python -m bench.redaction.ablate --packages *.whl *.deb             # and on strings of interfaces
    python -m bench.redaction.ablate --only engine companies            # units whose name holds one of these words

Only sums are printed, and no line: whoever reads which lines fail can tune on them, and then they judge nothing. A finder that gains fewer than
three spans, and a filter that moves neither the precision by .002 nor three strings, is not worth its lines. What the models say of a text is kept
in a folder for temporary files, so that a unit takes seconds. Each unit is left out only in those texts in which it found or decided something:
a finder is replaced by one that finds nothing, a filter by one that always gives its more frequent answer.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import inspect
import os
import pickle
import pkgutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from bench.redaction import sets
from bench.redaction.__main__ import DEFAULT
from bench.redaction.interfaces import LANGUAGES, read_strings
from pagereel.redaction import detect, words
from pagereel.redaction.contracts.findings import Finding, TextContext
from pagereel.redaction.detect import detect as detector
from pagereel.redaction.detect.cross_text.joint_filters import drop_findings_by_other_texts
from pagereel.redaction.detect.cues import engine
from pagereel.redaction.detect.filters import not_personal
from pagereel.redaction.detect.models import presidio, rampart

_ROOMS = (".cues", ".filters", ".shapes", ".cross_text", ".tables", ".overlaps")
"""Rooms of which functions are left out; the models, and what cuts and folds texts, are the detector itself."""
_MOST = 400
"""Texts that one unit is tried on: more say the same."""


@dataclass(slots=True)
class JudgedText:
    """A text on which units are tried, with its marked spans of personal data; a string of an interface has none."""

    of: str
    text: str
    spans: list[list[Any]]


@dataclass(slots=True)
class AblationUnit:
    """A part of the detector that can be left out: a finder, a filter, the cues of an entity, or a rule."""

    name: str
    leave_out: Callable[[], Callable[[], None]]
    """Leaves it out, and returns what puts it back."""
    texts: set[int] = field(default_factory=set)
    """Texts in which it finds or says something."""
    may_find: Callable[[str], bool] | None = None
    """Tells these texts, where that is cheap; else they are noted while all are read."""


class ModelCache:
    """Keeps the models' answers by text, in a file in a folder for temporary files."""

    def __init__(self, folder: Path) -> None:
        version = hashlib.sha256("".join(presidio.list_pipelines()).encode()).hexdigest()[:12]
        self._file = folder / f"models-{version}.pickle"
        self._said: dict[str, dict[str, Any]] = pickle.loads(self._file.read_bytes()) if self._file.is_file() else {}
        model = rampart.load_rampart()
        self._asks: dict[str, Callable[[list[str]], Iterable[Any]]] = {
            "classify_texts": model.classify_texts
            if model
            else lambda texts: [rampart.RampartOutput([], []) for _ in texts],
            **{name: getattr(presidio, name) for name in ("analyze", "find_by_patterns")},
        }

    def __getattr__(self, name: str) -> Callable[[Sequence[str]], list[Any]]:
        return lambda texts: self._get_answers(name, texts)

    def _get_answers(self, name: str, texts: Sequence[str]) -> list[Any]:
        """Return the answers of a model to these texts; only texts without a kept answer are given to the model."""
        said = self._said.setdefault(name, {})
        new = [text for text in dict.fromkeys(texts) if text not in said]
        said.update(zip(new, self._asks[name](new), strict=True))
        return [said[text] for text in texts]

    def replace_models(self) -> None:
        """Let the detector ask this cache in place of the models."""
        rampart.load_rampart = lambda: self  # type: ignore[assignment, return-value]
        for name in ("analyze", "find_by_patterns"):
            setattr(presidio, name, getattr(self, name))

    def save(self) -> None:
        """Write all answers to the file."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_bytes(pickle.dumps(self._said, 5))


def read_judged_texts(data: Path, packages: Sequence[Path]) -> list[JudgedText]:
    """Return the held-out lines, and the strings of interfaces from these packages."""
    out = [JudgedText("held out", row["text"], row["spans"]) for row in sets.split_held_out(data)[1]]
    out += [JudgedText(of, row["text"], row["spans"]) for of, rows in sets.read_judging_rows().items() for row in rows]
    said = (text for package in packages for code in LANGUAGES for text in read_strings(package, code, 40))
    return out + [JudgedText("interface", text, []) for text in dict.fromkeys(said)]


def find_pii_alone(text: str) -> list[Finding]:
    """Return the findings in a text that has no context."""
    key = (text, TextContext())
    return drop_findings_by_other_texts([key], detector.detect_personal_data([key]))[key]


def count_masked(text: JudgedText) -> tuple[int, int, int]:
    """Return how many spans are masked whole, how many masked letters and digits are right, and how many are masked.

    For a string of an interface: 1 or 0 for whether anything is masked, and two zeros.
    """
    found = find_pii_alone(text.text)
    if text.of == "interface":
        return int(bool(found)), 0, 0
    masked = {at for f in found for at in range(f.start, f.end) if text.text[at].isalnum()}
    right = {at for start, end, _ in text.spans for at in range(start, end) if text.text[at].isalnum()}
    whole = (all(at in masked for at in range(s, e) if text.text[at].isalnum()) for s, e, _ in text.spans)
    return sum(whole), len(masked & right), len(masked)


def iter_units(only: Sequence[str]) -> Iterator[AblationUnit]:
    """Yield the parts that can be left out: functions that find or filter, cues by entity, and rules against findings."""
    for module in _iter_modules():
        for name, function in list(vars(module).items()):
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                yield from _iter_function_units(f"{module.__name__.partition('.detect.')[2]}.{name}", function, only)
    for entity in sorted({cue.entity for cue in engine.load_cues()}):
        yield from _iter_list_units(
            f"cues of {entity}",
            engine,
            "cues",
            lambda cue, entity=entity: cue.entity != entity,
            lambda text, entity=entity: entity in _find_cue_entities(text),
            only,
        )
    for number, rule in enumerate(not_personal.load_rules()):
        name = f"rule {number + 1}: {','.join(sorted(rule.entities))} {rule.where} {rule.pattern.pattern[:40]}"
        yield from _iter_list_units(
            name,
            not_personal,
            "rules",
            lambda each, rule=rule: each is not rule,
            lambda text, rule=rule: rule.pattern.compiled_pattern.search(text) is not None,
            only,
        )


def _iter_modules() -> Iterator[ModuleType]:
    """Yield the detector's modules whose functions can be left out."""
    for package in (detect, words):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if any(room in found.name for room in _ROOMS):
                yield importlib.import_module(found.name)


def _iter_function_units(name: str, function: FunctionType, only: Sequence[str]) -> Iterator[AblationUnit]:
    """Yield the units of a function: one if it returns findings, one for each answer if it returns a bool, none else."""
    said = str(function.__annotations__.get("return", ""))
    finds, judges = "Finding" in said and said != "Finding", said == "bool"
    if not (finds or judges) or function.__code__.co_freevars or not _is_selected(name, only):
        return
    instead: list[object] = [None if "None" in said else []] if finds else [False, True]
    for value in instead:
        unit = AblationUnit(
            f"{name}{'' if finds else f' = {value}'}", lambda value=value: _replace_function(function, value)
        )
        _watch_function(function, unit, value)
        yield unit


def _iter_list_units(name: str, module: ModuleType, function: str, kept: Callable[[Any], bool], may_find: Callable[[str], bool], only: Sequence[str]) -> Iterator[AblationUnit]:  # fmt: skip
    """Yield a unit that replaces what a module's function returns by those items that `kept` accepts."""
    if not _is_selected(name, only):
        return
    every = getattr(module, function)()

    def leave_out() -> Callable[[], None]:
        """Replace the function, and return what puts it back."""
        whole = getattr(module, function)
        setattr(module, function, lambda: tuple(filter(kept, every)))
        return lambda: setattr(module, function, whole)

    yield AblationUnit(name, leave_out, may_find=may_find)


@lru_cache(maxsize=10_000)
def _find_cue_entities(text: str) -> frozenset[str]:
    """Return the entities that cues find in a text."""
    return frozenset(f.entity for f in engine.find_by_cues(text))


def _is_selected(name: str, only: Sequence[str]) -> bool:
    """Return whether a unit's name holds one of the words in `only`, or there are none."""
    return not only or any(word in name for word in only)


def _replace_function(function: FunctionType, value: object) -> Callable[[], None]:
    """Make a function return a value wherever it was imported, and return what undoes that."""
    code = function.__code__
    function.__code__ = _compile_lambda(f"lambda *given, **named: {value!r}")

    def put_back() -> None:
        function.__code__ = code

    return put_back


def _compile_lambda(source: str) -> CodeType:
    """Return the code object of a lambda that is given as source text."""
    code: CodeType = eval(source).__code__
    return code


_at = [0]
"""The text that is read, while what finds something in it is watched."""


def _watch_function(function: FunctionType, unit: AblationUnit, value: object) -> None:
    """Note in the unit the texts in which a function returns something else than the value that is to replace it."""
    said = getattr(function, "_said", None)
    if said is None:
        said = defaultdict(set)
        function._said = said  # type: ignore[attr-defined]
        original = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
        original.__kwdefaults__ = function.__kwdefaults__
        yields = inspect.isgeneratorfunction(function)

        def call_and_note(*given: Any, **named: Any) -> Any:
            answer = list(original(*given, **named)) if yields else original(*given, **named)
            said[bool(answer)].add(_at[0])
            return answer

        function.__globals__[f"_watched_{id(function)}"] = call_and_note
        function._code = function.__code__  # type: ignore[attr-defined]
        function.__defaults__ = function.__kwdefaults__ = None
        function.__code__ = _compile_lambda(f"lambda *given, **named: _watched_{id(function)}(*given, **named)")
    unit.texts = said[not value]


def main() -> None:
    """Print for each unit what it gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path(os.environ.get("PAGEREEL_PII_DATA", DEFAULT)))
    parser.add_argument("--packages", type=Path, nargs="*", default=[], help="programs whose strings count")
    parser.add_argument("--only", nargs="*", default=[], help="words of the names of units")
    parser.add_argument("--kept", type=Path, default=Path(tempfile.gettempdir()) / "pagereel-ablate")
    options = parser.parse_args()
    kept = ModelCache(options.kept)
    kept.replace_models()
    texts = read_judged_texts(options.data, options.packages)
    every = list(iter_units(options.only))
    whole = []
    for _at[0], text in enumerate(texts):
        whole.append(count_masked(text))
    kept.save()
    masked: dict[str, int] = defaultdict(int)
    for text, count in zip(texts, whole, strict=True):
        masked[text.of] += count[2]
    print(f"{'unit':60} texts  spans gained (precision lost) on {', '.join(masked)}")
    for unit in every:
        if unit.may_find:
            unit.texts = {at for at, text in enumerate(texts) if unit.may_find(text.text)}
        asked = sorted(unit.texts)[:_MOST]
        gained: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        put_back = unit.leave_out()
        try:
            for at in asked:
                for place, (before, after) in enumerate(zip(whole[at], count_masked(texts[at]), strict=True)):
                    gained[texts[at].of][place] += before - after
        except (
            ValueError,
            TypeError,
            AttributeError,
            KeyError,
            IndexError,
        ):  # what others build upon cannot be left out
            gained.clear()
        finally:
            put_back()
        told = (f"{of} {g[0]:+} ({(g[1] - g[2]) / max(masked[of], 1):+.4f})" for of, g in gained.items() if any(g))
        print(f"{unit.name[:60]:60} {len(asked):5}  {'; '.join(told) or '-'}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
