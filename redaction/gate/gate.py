"""Search all layers of a finished file for every known value in every variant. If one is found, no file is written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pagereel.errors import GateError, UsageError
from pagereel.user_files import read_file_limited

from ..contracts.mask_log import GateFinding, get_active_mask_log
from ..contracts.required_packages import require_packages
from ..values.automaton import PatternAutomaton
from ..values.known_value_matcher import is_whole_word, may_match_within_word
from ..values.known_values import KnownValue, KnownValues, index_numbers
from ..values.variants import is_whole_value_in_base64, iter_base64_inner_letters, list_variants
from .containers import iter_file_layers
from .decode import UNDONE, iter_decoded_layers
from .escape_windows import EscapeWindowSize
from .generated_text import extract_page_data, is_css_grammar, is_generated_layer

_LARGEST = 2 << 30
"""Most bytes of a file that is searched: it is read as a whole."""
_SHELL_LEAST = 4
NOTHING_WRITTEN = (
    "nothing was written; look at it with pagereel review, allow or mask it by a rule, take another policy, "
    "or leave out what holds it with --on-leak drop"
)
_DATA = re.compile(r"(?:script#pagereel-| > )(?:chunk-|pack-|(?:index|texts)\b)")
"""The layers of a replay that hold the recording."""
_SURE_LENGTH = 7
"""Least bytes of a match that counts in binary data, too."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A leak: the layer of the file, the value's type, the channel in which the value was first found, and its
    encoding in the file. Never the value itself.
    """

    layer: str
    entity: str
    channel: str
    encoding: str
    count: int
    place: str = ""
    """Where the first of them begins in that layer: ``line 12``, or ``byte 4031`` in a layer without lines."""

    def __str__(self) -> str:
        return f"{self.entity} from {self.channel} in {self.layer}, {self.place} ({self.encoding}), {self.count:,} {'time' if self.count == 1 else 'times'}"


@dataclass(frozen=True, slots=True)
class GateResult:
    """The result of a search for known values."""

    leaks: tuple[Leak, ...]
    layers: int
    """Layers that were opened."""
    bytes: int
    """Bytes that were searched, all layers together."""
    values: int
    """Known values that were searched for."""
    shell: int = 0
    """Known values that are also words of pagereel's player, and cannot be told from these."""

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.leaks

    def sentence(self, consequence: str = "nothing was written", what: str = "the finished file") -> str:
        """Return the result as a sentence without values."""
        if self.clean:
            return f"No known value stands in the file: {self.values:,} values, {self.layers:,} layers."
        first = self.leaks[0]
        kinds = ", ".join(sorted({leak.entity for leak in self.leaks}))
        return (
            f"The leak gate found {sum(leak.count for leak in self.leaks):,} known values ({kinds}) in {what}, the first a "
            f"{first.entity} from {first.channel} in {first.layer}, {first.place} ({first.encoding}); {consequence}."
        )


def search_file(html: bytes | str | os.PathLike[str], known: KnownValues, shell: bytes = b"") -> GateResult:
    """Search a finished file for known values.

    :param shell: the player's own script and style, in which a value may stand by chance.
    :raises UsageError: the file cannot be read.
    :raises GateError: a layer of the file cannot be opened to its end, so that it cannot be proved clean.
    """
    return Gate(known, shell).search(html if isinstance(html, bytes) else read_file(html))


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file.

    :raises UsageError: the file cannot be read.
    """
    try:
        return read_file_limited(path, _LARGEST)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error


class Gate:
    """A set of known values, prepared for the search in many files or texts."""

    def __init__(self, known: KnownValues, shell: bytes = b"") -> None:
        require_packages()
        self._known = known
        self._finder = _build_known_value_finder(known)
        self._shell = _PlayerShell(known, shell, self._finder)

    def __repr__(self) -> str:
        return f"<Gate: {len(self._known)} values>"

    def with_player_shell(self, shell: bytes) -> Gate:
        """Return a gate for the same values that does not report a match in a player's own script and style."""
        return Gate(self._known, shell)

    def search(self, data: bytes, name: str = "file") -> GateResult:
        """Search all layers of some data.

        :raises GateError: a layer cannot be opened to its end.
        """
        counts: dict[tuple[str, str, str, str], int] = {}
        places: dict[tuple[str, str, str, str], str] = {}
        told: dict[tuple[KnownValue, str], int] = {}
        opened = size = 0
        own = _ChanceMatchFilter(self._finder, self._shell)
        for layer, content in iter_file_layers(data, name, reach=self._finder.reach):
            opened += 1
            size += len(content)
            own.enter_layer(layer, content)
            for value, encoding, start, end in self._finder.iter_matches(content):
                if own.is_chance_match(layer, content, value, encoding, start, end):
                    continue
                key = (layer, value.entity, value.channel, encoding)
                if key not in counts:
                    places[key] = _describe_match_position(content, start)
                counts[key] = counts.get(key, 0) + 1
                told[value, layer] = told.get((value, layer), 0) + 1
        _report_leaks_to_reviewer(told)
        leaks = tuple(Leak(*key, count, places[key]) for key, count in counts.items())
        return GateResult(leaks, opened, size, len(self._known), len(self._shell.values))

    def raise_on_leak(self, data: bytes | str, what: str = "the answer") -> None:
        """Raise GateError if a known value stands in a finished text or file.

        :param what: the name of the text or file in the error message.
        :raises GateError: a known value stands in it; the message names channel and type, never the value.
        """
        result = self.search(data if isinstance(data, bytes) else data.encode("utf-8", "replace"), what)
        if not result.clean:
            raise GateError(result.sentence("nothing was given out", what))


def _report_leaks_to_reviewer(leak_counts: Mapping[tuple[KnownValue, str], int]) -> None:
    """Give the found values to the log of a reviewer, if one is active. The error message itself never names them."""
    masks = get_active_mask_log()
    if masks is not None:
        masks.found = [
            GateFinding(value.entity, value.text, layer, count) for (value, layer), count in leak_counts.items()
        ]


class _ChanceMatchFilter:
    """Recognizes matches that equal a known value by chance, because pagereel, its player or the grammar of CSS wrote
    them, and not the page.
    """

    def __init__(self, finder: _KnownValueFinder, shell: _PlayerShell) -> None:
        self._finder = finder
        self._shell = shell
        self._layer = ""
        self._content = b""
        self._page_values: set[KnownValue] | None = None

    def enter_layer(self, layer: str, content: bytes) -> None:
        """Begin the next layer. Layers must come in order: those decoded from a layer come after it."""
        if is_generated_layer(layer):
            self._layer, self._content, self._page_values = layer, content, None

    def is_chance_match(
        self, layer: str, content: bytes, value: KnownValue, encoding: str, start: int, end: int
    ) -> bool:
        """Return whether a match in a layer was written by pagereel, the player or CSS, and not by the page."""
        chance = value in self._shell.values or (value, encoding) in self._shell.decoded_values
        if chance and not _DATA.search(layer) and not is_generated_layer(layer):
            return True
        if self._layer and layer.startswith(self._layer) and _is_escape_letter(content, start):
            return True
        word = value.text.isalpha() and value.text.isascii()
        if word and _is_css_grammar(content, start, end):
            return True
        if not self._layer or not layer.startswith(self._layer):
            return False
        if set(layer[len(self._layer) :].split(" > ")[1:]) - UNDONE:
            return False  # data decoded from base64 is a file of the page: pagereel wrote nothing in it
        return value not in self._find_page_values()

    def _find_page_values(self) -> set[KnownValue]:
        """Return the known values in the part of the current layer that the page itself wrote."""
        if self._page_values is None:
            data = extract_page_data(self._content)
            self._page_values = set()
            for _, content in iter_decoded_layers(
                self._content if data is None else data, depth=1, reach=self._finder.reach
            ):
                for value, _, start, end in self._finder.iter_matches(content):
                    if not (value.text.isalpha() and _is_css_grammar(content, start, end)):
                        self._page_values.add(value)
        return self._page_values


def _is_css_grammar(data: bytes, start: int, end: int) -> bool:
    """Return whether a match is CSS grammar, judged by :func:`.generated_text.is_css_grammar` on the bytes around it."""
    before, word, after = data[max(0, start - 60) : start], data[start:end], data[end : end + 60]
    text = [part.decode("utf-8", "ignore") for part in (before, word, after)]
    return is_css_grammar("".join(text), len(text[0]), len(text[0]) + len(text[1]))


def _is_escape_letter(data: bytes, start: int) -> bool:
    """Return whether a match in JSON begins with the letter of an escape: ``its\\nsmallest`` does not hold
    *nsmallest*. A letter after two backslashes is no escape.
    """
    before = start
    while before and data[before - 1] == 0x5C:
        before -= 1
    return (start - before) % 2 == 1 and data[start : start + 1] in (b"n", b"r", b"t", b"b", b"f")


def _describe_match_position(data: bytes, start: int) -> str:
    lines = data.count(b"\n", 0, start)
    return f"line {lines + 1}" if lines or b"\n" in data[start : start + 4096] else f"byte {start}"


class _PlayerShell:
    """The known values that occur in a player's own script and style. A match there, or in a layer decoded from them,
    is no leak.
    """

    def __init__(self, known: KnownValues, shell: bytes, finder: _KnownValueFinder) -> None:
        small = shell.lower()
        self.values = {
            value
            for value in known
            if small and len(value.text) >= _SHELL_LEAST and value.text.lower().encode("utf-8", "replace") in small
        }
        """The known values that occur in the shell as they are."""
        self._shell = shell
        self._finder = finder

    @cached_property
    def decoded_values(self) -> set[tuple[KnownValue, str]]:
        """The known values that only decoding shows in the shell, such as ``on error`` in ``.action.error``. Computed
        on first use: few files need them.
        """
        opened = iter_decoded_layers(self._shell, depth=1, reach=self._finder.reach)
        return {
            (value, encoding) for _, content in opened for value, encoding, _, _ in self._finder.iter_matches(content)
        }


@lru_cache(maxsize=1)
def _build_known_value_finder(known_values: KnownValues) -> _KnownValueFinder:
    """Return the finder of these frozen values. It is cached, because the masked reel and the file built of it need
    the same one.
    """
    return _KnownValueFinder(known_values)


class _KnownValueFinder:
    """Finds all variants of all known values in bytes, without regard to case."""

    def __init__(self, known: KnownValues) -> None:
        self._values: list[KnownValue] = []
        self._encodings: list[str] = []
        self._anywhere: list[bool] = []
        patterns: list[bytes] = []
        cores: list[bytes] = []
        self._core_of: list[KnownValue] = []
        seen: set[bytes] = set()
        for value in known:
            for encoding, text, anywhere in self._iter_search_forms(value):
                pattern = text.lower()
                if pattern not in seen:
                    seen.add(pattern)
                    patterns.append(pattern)
                    self._values.append(value)
                    self._encodings.append(encoding)
                    self._anywhere.append(anywhere)
            for core in iter_base64_inner_letters(value.text):
                cores.append(core.encode())
                self._core_of.append(value)
        self.reach = EscapeWindowSize.from_patterns([*patterns, *cores])
        self._words = PatternAutomaton(patterns)
        self._cores = PatternAutomaton(cores)
        self._numbers = index_numbers(known)

    @staticmethod
    def _iter_search_forms(value: KnownValue) -> Iterator[tuple[str, bytes, bool]]:
        for encoding, text in list_variants(value.text):
            for written in (text,) if text.isascii() else (text, text.upper(), text.lower()):
                yield encoding, written.encode("utf-8", "replace"), may_match_within_word(value, text)
        if len(value.text) >= 6:
            yield "utf-16", value.text.encode("utf-16-le", "replace"), value.text == value.whole

    def iter_matches(self, data: bytes) -> Iterator[tuple[KnownValue, str, int, int]]:
        """Yield (value, encoding, begin, end) for every known value in one layer, with offsets in bytes."""
        for index, start, end in self._words.find_occurrences(data.lower()):
            if self._anywhere[index] or (
                _is_whole_word(data, start, end) and (end - start >= _SURE_LENGTH or _lies_in_text(data, start, end))
            ):
                yield self._values[index], self._encodings[index], start, end
        for index, start, end in self._cores.find_occurrences(data):
            if is_whole_value_in_base64(data, start, end, self._core_of[index].text):
                yield self._core_of[index], "base64", start, end
        if self._numbers:
            for match in re.finditer(rb"(?<!\d)\d{1,12}(?:[ ().-]{1,2}\d{1,12}){1,8}", data):
                plain = re.sub(rb"\D", b"", match.group()).decode()
                if plain in self._numbers:
                    yield self._numbers[plain], "number", match.start(), match.end()


def _lies_in_text(data: bytes, start: int, end: int) -> bool:
    """Return whether a match lies in text. In the bytes of a picture or a font, four letters may stand together by
    chance.
    """
    around = data[max(0, start - 12) : start] + data[end : end + 12]
    control = sum(b < 9 or 13 < b < 32 or b == 127 for b in around)
    # A cut through a multi-byte letter loses at most three bytes at each of the four ends.
    lost = len(around) - len(around.decode("utf-8", "ignore").encode())
    return control == 0 and lost <= 6


def _is_whole_word(data: bytes, start: int, end: int) -> bool:
    """Return whether a match is a whole word, judged by :func:`..values.known_value_matcher.is_whole_word` on the bytes
    around it.
    """
    begin, stop = max(0, start - 8), min(len(data), end + 4)
    before = data[begin:start].decode("utf-8", "ignore")
    word = data[start:end].decode("utf-8", "ignore")
    after = data[end:stop].decode("utf-8", "ignore")
    return bool(word) and is_whole_word(before + word + after, len(before), len(before) + len(word))
