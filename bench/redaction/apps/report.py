"""Compares an application's raw and masked builds: which texts were masked, and which values were left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.world.redacted_pairs import ReplayLikeness, draw_pair, iter_mark_names, read_replay_at_mark
from pagereel.player_build import build

from .app_recording import strip_markup

KEPT_WHOLE = ("name", "first", "last", "email", "phone", "street", "user", "company")
"""Fields that a page of the default build must not show."""
_DENSE = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7a3]")
_LETTER = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7a3]")


@dataclass
class AppReport(ReplayLikeness):
    """The comparison of one application's raw and masked build, with what became of its texts."""

    own: int = 0
    """Texts that both recordings show: the program's."""
    touched: dict[str, str] = field(default_factory=dict)
    words: int = 0
    """Strings of the program's catalogue that the raw pages show."""
    changed: list[str] = field(default_factory=list)
    """Those of them that the default build has otherwise."""
    left: dict[str, str] = field(default_factory=dict)
    """Value: a text in which it still stands."""
    masked: dict[str, str] = field(default_factory=dict)
    many: dict[str, list[str]] = field(default_factory=dict)
    """Texts that were masked in more than one way."""

    def __str__(self) -> str:
        if self.error:
            return self.line
        share = 100 * len(self.touched) / (self.own or 1)
        lines = [
            f"{self.line}; {self.marks} marks, {self.trees} trees differ; {len(self.missing)} sheets, fonts and pictures lost; of {self.elements} elements styles differ at "
            f"{self.elements - self.styled}, places at {self.elements - self.placed} ({100 * (1 - self.placed / (self.elements or 1)):.1f} %); "
            f"UI strings touched {len(self.touched)} of {self.own} ({share:.1f} %), of the catalogue's {len(self.changed)} of {self.words}; {len(self.masked)} texts masked, {len(self.many)} in more than one way; {len(self.left)} values left"
        ]
        lines += [f"  {difference}" for difference in self.page.differences]
        lines += [f"  lost {address}" for address in self.missing]
        lines += [f"  touched {a!r} -> {b!r}" for a, b in self.touched.items()]
        lines += [f"  of the catalogue {text!r}" for text in self.changed]
        lines += [f"  left {value!r} in {text!r}" for value, text in self.left.items()]
        lines += [f"  two ways {text!r} -> {ways}" for text, ways in self.many.items()]
        lines += [f"  masked {a!r} -> {b!r}" for a, b in self.masked.items()]
        return "\n".join(lines)


def compare_builds(
    browser: Any,
    name: str,
    reels: Sequence[Path],
    people_rows: list[dict[str, Any]],
    out: Path,
    catalogue: frozenset[str] = frozenset(),
) -> AppReport:
    """Build the first recording raw and masked and compare both at each mark; texts that all recordings share count as the program's."""
    result = AppReport(name)
    raw, masked = out / "raw.html", out / "masked.html"
    if not result.build_both(reels[0], raw, masked):
        return result
    common = {text for text in _iter_texts(browser, raw, reels[0]) if _LETTER.search(text)}
    for number, other in enumerate(reels[1:], 2):
        html = out / f"raw{number}.html"
        build(other, html, redaction=None)
        common &= set(_iter_texts(browser, html, other))
    values = {str(one[key]) for one in people_rows for key in KEPT_WHOLE}
    values = {value for value in values if len(value) >= (2 if re.search(r"[\u3400-\u9fff]", value) else 4)}
    said = {word.casefold() for text in common for word in re.findall(r"\w+", text)}
    values = {
        value for value in values if value.casefold() not in said
    }  # a family called Price, beside a column of prices
    result.own = len(common)
    ways: dict[str, dict[str, None]] = {}
    for number, mark in enumerate(iter_mark_names(reels[0]), 1):
        (one, left), (other, right) = (read_replay_at_mark(browser, file, mark) for file in (raw, masked))
        title = f"{name}, {mark}: raw at the left, the default at the right"
        draw_pair(left, right, title).save(out / f"{number:02} {mark.replace('/', '-')} raw and masked.png")
        result.add_mark(one, other)
        for a, b in _pair_texts(one[1], other[1]):
            ways.setdefault(a, {})[b] = None
        for text in {*other[1], *other[2]}:
            for value in values:
                if _contains_value(text, value):
                    result.left.setdefault(value, text[:120])
    shown = [a for a in ways if strip_markup(a) in catalogue]
    result.words, result.changed = len(shown), [a[:120] for a in shown if list(ways[a]) != [a]]
    for a, found in ways.items():
        if list(found) == [a]:
            continue
        (result.touched if a in common else result.masked)[a[:120]] = " | ".join(found)[:160]
        if len(found) > 1:
            result.many[a[:120]] = list(found)
    return result


def _contains_value(text: str, value: str) -> bool:
    """Return whether a text holds a value as whole words, in any case of letters."""
    at = text.casefold().find(value.casefold())
    if at < 0:
        return False
    before, after = text[at - 1 : at], text[at + len(value) : at + len(value) + 1]
    return _DENSE.search(value) is not None or not (before.isalnum() or after.isalnum())


def _iter_texts(browser: Any, html: Path, reel: Path) -> Iterator[str]:
    """Yield the texts that a replay shows at all its marks."""
    for mark in iter_mark_names(reel):
        yield from read_replay_at_mark(browser, html, mark)[0][1]


def _pair_texts(one: list[str], other: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each text of one page with its counterpart on the other; nothing where the pages have different numbers of texts."""
    if len(one) == len(other):
        yield from zip(one, other, strict=True)
