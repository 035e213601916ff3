"""How the time of a pattern grows with its text, on texts that are made of the pattern itself.

For each repeat in a pattern the texts are: what it repeats, many times; the same behind what stands before it; and both together, many times, each with an
end at which nothing fits any more. That is where an engine that goes back tries everything again.
"""

from __future__ import annotations

import importlib
import itertools
import math
import pkgutil
import re
import re._constants as ops  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

FIRST: Final = (8, 16, 24, 32, 40, 48, 56, 64, 128, 256, 512)
"""Characters of the first texts: few, for what grows exponentially."""
FLOOR_S: Final = 0.03
"""Seconds below which a time says nothing."""
MOST_TIMES: Final = 2.5
"""A text that is twice as long takes at most so many times as long."""

_CLASSES: Final = {ops.CATEGORY_DIGIT: "7", ops.CATEGORY_SPACE: " ", ops.CATEGORY_WORD: "a", ops.CATEGORY_NOT_DIGIT: "a", ops.CATEGORY_NOT_SPACE: "a", ops.CATEGORY_NOT_WORD: "-"}  # fmt: skip
_LETTERS: Final = "aA7 .-\n,@:/"
_FEW: Final = 3
_TURNS: Final = 5
_WAYS: Final = frozenset({"match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"})


def patterns_of(package: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the compiled patterns of all modules of a package, with where each is."""
    seen: set[tuple[Any, int]] = set()
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if found.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(found.name)
        except ImportError:  # an extra that is not installed
            continue
        for name, value in list(vars(module).items()):
            for pattern in _patterns(value, 3):
                if isinstance(pattern.pattern, str) and (key := (pattern.pattern, pattern.flags)) not in seen:
                    seen.add(key)
                    yield f"{found.name}.{name}", pattern


def _patterns(value: object, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for each in value.values():
            yield from _patterns(each, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _patterns(each, depth - 1)
    elif depth and hasattr(type(value), "__dataclass_fields__"):
        for name in type(value).__dataclass_fields__:
            yield from _patterns(getattr(value, name, None), depth - 1)


def attacks(pattern: re.Pattern[str]) -> list[tuple[str, str, str]]:
    """Return what texts are made of: a beginning, what is repeated, and an end."""
    found: dict[tuple[str, str, str], None] = {}
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    for before, unit in _repeats(tree, ""):
        if unit:
            found[("", unit, "\0")] = None
            found[(before, unit, "\0")] = None
            found[("", before + unit, "\0")] = None
            found[("", unit, "")] = None
    whole = _sample(tree)
    if whole:
        found[("", whole, "\0")] = None
        found[("", whole[:-1], "\0")] = None
    return [each for each in found if each[1]]


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """Yield for each repeat what stands before it, and what it may repeat."""
    for op, given in tree:
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            _, most, body = given
            if most > 8:
                for unit in _units(body):
                    yield before, unit
            yield from _repeats(body, before)
        elif op is ops.SUBPATTERN:
            yield from _repeats(given[3], before)
        elif op is ops.ATOMIC_GROUP:
            yield from _repeats(given, before)
        elif op is ops.BRANCH:
            for each in given[1]:
                yield from _repeats(each, before)
        elif op in (ops.ASSERT, ops.ASSERT_NOT):
            yield from _repeats(given[1], before)
        before += _sample([(op, given)])


def _units(body: Any) -> list[str]:
    """Return some texts that a repeat's body takes: of a class some of its characters."""
    if len(body) == 1 and body[0][0] in (ops.IN, ops.ANY, ops.NOT_LITERAL):
        return _members(*body[0])[:_FEW]
    return [_sample(body)]


def _members(op: Any, given: Any) -> list[str]:
    """Return characters that a class takes."""
    if op is ops.ANY:
        return ["a", " "]
    if op is ops.NOT_LITERAL:
        return [letter for letter in _LETTERS if ord(letter) != given]
    negated, own, classes = False, [], []
    for kind, value in given:
        if kind is ops.NEGATE:
            negated = True
        elif kind is ops.LITERAL:
            own.append((value, value))
        elif kind is ops.RANGE:
            own.append(value)
        elif kind is ops.CATEGORY:
            classes.append(value)
    if negated:
        taken = {_CLASSES.get(each) for each in classes}
        return [letter for letter in _LETTERS if letter not in taken and not any(a <= ord(letter) <= b for a, b in own)]
    return list(dict.fromkeys([*(_CLASSES.get(each, "a") for each in classes), *(chr(a) for a, _ in own)]))


def _sample(tree: Any) -> str:
    """Return a text that a pattern takes, as nearly as its parts tell."""
    out = ""
    for op, given in tree:
        if op is ops.LITERAL:
            out += chr(given)
        elif op in (ops.IN, ops.ANY, ops.NOT_LITERAL):
            out += next(iter(_members(op, given)), "a")
        elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            out += _sample(given[2]) * min(max(given[0], 1), 20)
        elif op is ops.SUBPATTERN:
            out += _sample(given[3])
        elif op is ops.ATOMIC_GROUP:
            out += _sample(given)
        elif op is ops.BRANCH:
            out += next((said for each in given[1] if (said := _sample(each))), "")
    return out


def grows(run: Callable[[str], object], attack: tuple[str, str, str], longest: int) -> str | None:
    """Return what is wrong with the growth of a function's time on longer and longer texts; None: nothing."""
    begin, unit, end = attack
    for size in itertools.chain(FIRST, (1 << power for power in itertools.count(10))):
        if size > longest:
            break
        text = begin + unit * max(1, size // len(unit)) + end
        took = _seconds(run, text)
        # Again, so that one slip of the machine is none of the pattern's.
        if took <= FLOOR_S or (took := min(took, _seconds(run, text))) <= FLOOR_S:
            continue
        what = f"for {begin!r} + {unit!r} × {size // len(unit):,} + {end!r} ({took:.2f} s)"
        if size < FIRST[-1]:
            return f"so long a time {what}"
        half, least = begin + unit * max(1, size // 2 // len(unit)) + end, math.inf
        for _ in range(_TURNS):  # By turns, since a machine that others use is slower for a while.
            least = max(min(least, _seconds(run, half)), 1e-6)
            if took <= max(MOST_TIMES * least, FLOOR_S):
                break
            took = min(took, _seconds(run, text))
        else:
            return f"{took / least:.1f} × {what}"
    return None


def _seconds(run: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    run(text)
    return time.thread_time() - began


def through(pattern: re.Pattern[str]) -> Callable[[str], object]:
    """Return a search of all that a pattern finds in a text."""

    def run(text: str) -> None:
        for _ in pattern.finditer(text):
            pass

    return run


def at_start(pattern: re.Pattern[str]) -> Callable[[str], object]:
    """Return what asks whether a text begins with a pattern, and whether it is one."""

    def run(text: str) -> None:
        pattern.match(text)
        pattern.fullmatch(text)

    return run


def used_at_start_alone(name: str, source: str) -> bool:
    """Return whether a pattern of this name is asked at a text's start or at a place alone, by the source of all that may use it."""
    ways = set(re.findall(rf"\b{re.escape(name)}\.(\w+)", source)) & _WAYS
    handed = re.search(rf"[(,\[=]\s*{re.escape(name)}\s*[,)\]]", source)
    return bool(ways) and ways <= {"match", "fullmatch"} and not handed
