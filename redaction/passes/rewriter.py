"""Replace each known value by its stand-in, in every string of a recording, by the string's role."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ..content.css import rewrite_css
from ..content.hosts import with_host_masked
from ..content.identifiers import find_numbers, is_named
from ..content.markup import rewrite_data_url
from ..content.site_addresses import host_of, is_address, is_xml_namespace, of_the_site, within_text
from ..content.urls import rewrite_url
from ..contracts.policy import Policy, plain
from ..contracts.sink import MASKED, Sink, Slot
from ..detect.cues.context import entity_of_label
from ..detect.filters.name_like_words import is_single_word, may_be_a_name, name_like_words
from ..detect.source_code import passages
from ..gate.own_text import is_grammar, is_keyword
from ..normalise.letters import has_text
from ..values.matcher import Match, Matcher
from ..values.plain_titles import plain_title
from ..values.pseudonyms import Pseudonyms
from ..values.replacement import distributed, merged, replaced
from ..words.words import UI_WORDS, web_words
from .knowledge import Knowledge
from .replacement_log import ReplacementLog
from .text_forms import NO_BREAK, groups, is_code, is_colour, spoken
from .unknown_words import UnknownWords

_QUARTERS = 4
_GREY = "#80808080"
"""The colour that replaces a colour in a form field."""
_SHORT = 5
_HEADERS = "header name"
_KEYS = "key name"
"""Endings of the channels of header names and keys. A header's name is a word of the server and of the program that
reads it.
"""
_IN_A_NAME = re.compile(r"\s+")
"""White space, which would split an identifier in two."""
_OF_THE_RUN = ("reel.", "step.title", "mark.", "screenshot.", "call.", "request.", "gap.")
"""Channels of texts by the program that drives the browser. With ``text = "mask"`` they are searched for personal data;
every other text is masked whole.
"""
_OF_THE_RECORDING = frozenset({"reel.title", "reel.agent"})
"""Channels of the recording's own title and agent. They are read in lists and on tabs, far from the page, where a
stand-in tells the reader nothing.
"""


class Rewriter(Sink):
    """The sink of the second pass: it returns each string masked.

    :param resources: returns for a resource's hash the hash of its masked content, or None.
    :param reel: the number of the recording, if several were read together.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        policy: Policy,
        pseudonyms: Pseudonyms,
        resources: Callable[[str], str | None],
        reel: int = 0,
    ) -> None:
        self._knowledge = knowledge
        self._collected = knowledge.collected
        self.form = knowledge.collected.form
        self._reel = reel
        self._policy = policy
        self._pseudonyms = pseudonyms
        self._allowed = frozenset(policy.values("allow"))
        self._shown = knowledge.shown if policy.text == "detect" else frozenset()
        self._resources = resources
        self._matcher = Matcher(knowledge.values, pseudonyms)
        self._entity = {v.text.casefold(): v.entity for v in knowledge.values}
        self._cache: dict[tuple[str, str, str], str] = {}
        self._typed_at: Counter[tuple[int, int]] = Counter()
        self.log = ReplacementLog()
        self._unknown = UnknownWords(self._value_stand_in, self._allowed)

    def finds(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of known values in a text."""
        return [(m.start, m.end) for m in self._matcher.find(text)]

    # -- roles --------------------

    def text(self, text: str, slot: Slot) -> str:
        if slot.channel in _OF_THE_RECORDING:
            shown = plain_title(text, self.log.add_matches(self._matches(text, slot, "text"), slot, text))
            if shown != text:
                self._pseudonyms.remember(text, shown)
            return shown
        if self._policy.text == "mask" and not slot.channel.startswith(_OF_THE_RUN):
            return self._whole(text, "VALUE", slot) if has_text(text) else text
        return self._detected(text, slot, "text")

    def code(self, text: str, slot: Slot) -> str:
        return self._detected(text, slot, "code")

    def run(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        if len(pieces) == 1 or self._policy.text == "mask":
            return [self.text(piece, slot) for piece in pieces]
        out: list[str] = []
        for parts in self._parts(pieces):
            out += self._group(parts, slot)
        return out

    def _parts(self, pieces: Sequence[str]) -> list[list[list[str]]]:
        """Return adjacent texts in groups that are read as one text. Groups with a known value across their border
        are joined: a page may cut a value between words.
        """
        found = groups(pieces)
        values = self._matcher.find("".join(pieces)) if len(found) > 1 else []
        starts = [value.start for value in values]
        out: list[list[list[str]]] = []
        at = 0
        for group in found:
            nearest = bisect_left(starts, at) - 1
            if nearest >= 0 and at < values[nearest].end:
                out[-1].append(group)
            else:
                out.append([group])
            at += sum(map(len, group))
        return out

    def _group(self, parts: Sequence[Sequence[str]], slot: Slot) -> list[str]:
        pieces = [piece for part in parts for piece in part]
        joined = "".join(pieces)
        matches = self._matches(joined, slot, "text")
        for texts in (["".join(part) for part in parts] if len(parts) > 1 else [], pieces):
            offset = 0
            for text in texts:
                matches += [
                    m._replace(start=m.start + offset, end=m.end + offset) for m in self._matches(text, slot, "text")
                ]
                offset += len(text)
        return distributed(pieces, self.log.add_matches(merged(matches), slot, joined))

    def listing(self, pieces: Sequence[str], slot: Slot, written: bool) -> list[str]:
        if self._policy.text == "mask":
            return [self.text(piece, slot) for piece in pieces]
        code = "".join(pieces)
        found = self._in_code(code, slot, written, everywhere=False)
        return distributed(pieces, self.log.add_matches(found, slot, code))

    def _in_code(self, code: str, slot: Slot, written: bool, everywhere: bool) -> list[Match]:
        """Return the matches to mask in source code.

        :param written: somebody may be editing it, so unknown words in its strings and comments are masked.
        :param everywhere: unknown words are masked in all of the code.
        """
        matches = list(self._matches(code, slot, "code"))
        for start, end, label in passages(code):
            found = self._matches(code[start:end], slot._replace(label=label), "text")
            if written:
                found = merged([*found, *self._unknown.matches(code[start:end])])
            matches += [m._replace(start=m.start + start, end=m.end + start) for m in found]
        return merged([*matches, *self._unknown.matches(code)] if everywhere else matches)

    def keep(self, text: str, slot: Slot) -> str:
        if is_keyword(slot.channel.removeprefix("dom.attribute.").lower(), text):
            return text
        if len(text) > _SHORT and is_named(slot.channel, text):
            return self._named(text, slot)
        return self._replaced(text, self._matcher.find(text), slot)

    def _named(self, text: str, slot: Slot) -> str:
        """Return one or several identifiers, masked. An identifier has the same result in the page and in its style
        sheets.
        """
        known = slot.channel.endswith(_HEADERS)
        key = (text, slot.channel if slot.channel.endswith((_HEADERS, _KEYS)) else "", "name")
        if key not in self._cache:
            numbers = [Match(a, b, self._pseudonyms.of(text[a:b], "ID"), "ID") for a, b in find_numbers(text)]
            words = [] if known else self._name_like(text, humps=not slot.channel.endswith(_KEYS))
            found = self.log.add_matches(merged([*self._matcher.find(text), *numbers, *words]), slot, text)
            found = [m._replace(replacement=_IN_A_NAME.sub("-", m.replacement)) for m in found]
            self._cache[key] = replaced(text, found)
        return self._cache[key]

    def program_name(self, text: str, slot: Slot) -> str:
        def replace(word: str) -> str:
            self.log.counts[slot.channel, "VALUE"] += 1
            return self._value_stand_in(word)

        if text.casefold() in self._allowed:
            return text
        return self._named(self._unknown.in_program_name(text, replace), slot)

    def value(self, text: str, slot: Slot) -> str:
        if not has_text(text):
            return text  # empty, or masked in the page already
        if is_colour(text):
            return _GREY[: len(text.strip())]
        if self._is_address(text):
            return self._address(text, slot)
        if is_code(text, slot.label) and self._policy.text != "mask":
            return self._replaced(text, self._in_code(text, slot, written=True, everywhere=True), slot)
        return self._whole(text, self._entity_of(text, slot), slot)

    def typed(self, text: str, slot: Slot, node: tuple[int, int]) -> str:
        """Return the beginning of a stand-in while its value is typed. Its length grows in quarters, so that it does
        not reveal the number of typed letters.
        """
        text = text.replace(NO_BREAK, " ")
        series = self._collected.typed.get((self._reel, *node), [])
        at = self._typed_at[node]
        self._typed_at[node] += 1
        final = text
        for later in series[at + 1 :]:
            if later.startswith(final):
                final = later
            elif not final.startswith(later):
                break
        if not text:
            return ""
        whole = self.value(final, slot)
        if final == text:
            return whole
        part = -(-len(text) * _QUARTERS // len(final))
        return whole[: max(1, len(whole) * part // _QUARTERS)]

    def leaf(self, text: str, slot: Slot) -> str:
        if self._policy.bodies == "detect" and not slot.channel.startswith("dom."):
            return self.url(text, slot) if is_address(text) else self.text(text, slot)
        if text in self._knowledge.messages and self._policy.text == "detect":
            return self.text(text, Slot(slot.channel))  # masked in the same way everywhere
        words = text.lower().replace("_", " ").replace("-", " ").split()
        if all(w in UI_WORDS for w in words) and entity_of_label(slot.label) is None:
            return text
        if text.startswith(("http://", "https://", "/")) and " " not in text:
            return self.url(text, slot)
        return self._whole(text, self._entity_of(text, slot), slot)

    def message(self, text: str, slot: Slot) -> str:
        return self.leaf(text, slot if is_address(text) else slot._replace(label=""))

    def secret(self, text: str, slot: Slot) -> str:
        self.log.add(slot.channel, "SECRET", text, MASKED)
        return self._pseudonyms.of(text, "SECRET")

    def url(self, text: str, slot: Slot) -> str:
        key = (text, "", "url")
        if key not in self._cache:
            self._cache[key] = self._rewritten(text, lambda piece, what: self._piece(text, piece, what, slot))
        masked = self._cache[key]
        if masked != text:
            self.log.add_address(slot.channel, text)
        return masked

    def addresses(self) -> dict[str, str]:
        """Return each URL that was masked so far → its masked form."""
        return {text: masked for (text, _, kind), masked in self._cache.items() if kind == "url"}

    def css(self, text: str, slot: Slot) -> str:
        key = (text, "", "css")
        if key not in self._cache:
            self._cache[key] = rewrite_css(
                text,
                lambda t: self._in_sheet(t, slot),
                lambda u: self.url(u, slot),
                lambda t: self._sheet(t, slot),
                self._css_name,
            )
        return self._cache[key]

    def _in_sheet(self, text: str, slot: Slot) -> str:
        """Return a masked string of a style sheet. A single word is masked as an identifier is."""
        shown = self.text(text, slot)
        return self._named(text, slot) if shown == text and is_single_word(text) else shown

    def _css_name(self, name: str) -> str:
        return name if name.lower().lstrip("-") in web_words() else self._named(name, Slot("css name"))

    def is_translation_string(self, text: str) -> bool:
        return self._collected.translations.holds(text)

    def resource(self, sha256: str, slot: Slot) -> str | None:
        return self._resources(sha256)

    # -- helpers --------------------

    def _sheet(self, text: str, slot: Slot) -> str:
        """Replace known values in the rest of a style sheet, but not in its grammar: a person called Violet must not
        change a colour.
        """
        found = [m for m in self._matcher.find(text) if not is_grammar(text, m.start, m.end)]
        return self._replaced(text, found, slot)

    def _replaced(self, text: str, matches: Sequence[Match], slot: Slot) -> str:
        return replaced(text, self.log.add_matches(matches, slot, text))

    def _is_address(self, text: str) -> bool:
        """Return whether a value is a URL of the recorded site, and no known value of another type."""
        return self._is_of_site(text) and plain(text).casefold() not in self._entity

    def _is_of_site(self, text: str) -> bool:
        return of_the_site(text, self._collected.hosts, self._collected.segments)

    def _address(self, text: str, slot: Slot) -> str:
        """Return a value that is a URL of the site, masked. Path segments that no other URL of the site has are
        masked whole.
        """

        def mask(piece: str, what: str) -> str:
            if what == "segment" and piece not in self._collected.segments:
                return self._pseudonyms.of(piece, self._entity_of(piece, slot))
            return self._piece(text, piece, what, slot)

        masked = self._rewritten(text, mask)
        if masked != text:
            self.log.add(slot.channel, "URL", text, masked)
        return masked

    def _rewritten(self, url: str, mask: Callable[[str, str], str]) -> str:
        """Return a URL whose pieces are masked, with any known value that is left in it replaced."""
        masked = rewrite_url(url, mask)
        if self._policy.hosts == "mask":
            masked = with_host_masked(masked, self._pseudonyms.of)
        return replaced(masked, self._matcher.find(masked))

    def _piece(self, url: str, piece: str, what: str, slot: Slot) -> str:
        """Return a masked piece of the URL `url`.

        :param what: the kind of the piece, for a parameter followed by a space and its name.
        """
        name = what.partition(" ")[2]
        if what == "data":
            return rewrite_data_url(piece, self, slot, block=self._policy.images != "keep")
        if what == "segment":
            matches = self._matches(spoken(piece), Slot(slot.channel), "slug")
            return replaced(piece, merged([*self._matcher.find(piece), *matches, *self._name_like(piece)]))
        if what == "fragment" and piece in self._collected.ids:
            return self.keep(piece, Slot("dom.attribute.id"))
        if what == "key":
            return self._detected(piece, Slot(slot.channel), "code")
        if what == "userinfo":
            return ""
        if what.startswith("parameter "):
            action = self._policy.rule("parameter", name)
            if action == "drop":
                return ""
            if action == "allow":
                return self.keep(piece, Slot(slot.channel))
            if self._policy.parameters == "detect" and action is None:
                return self._detected(piece, Slot(slot.channel, name), "text")
            if self._is_address(piece):
                return self._address(piece, slot)
        label = {"mailto": "email", "tel": "phone", "sms": "phone"}.get(what, name)
        entity = self._entity_of(piece, Slot(slot.channel, label))
        stand_in = self._pseudonyms.of(piece, entity)
        self.log.keep_piece(url, entity, piece, stand_in)
        return stand_in

    def _entity_of(self, text: str, slot: Slot) -> str:
        """Return the entity of a whole value: that of the equal known value, else the one that its label announces,
        else ``VALUE``.
        """
        known = self._entity.get(" ".join(text.split()).casefold())
        if known is not None:
            return known
        labelled = entity_of_label(slot.label) if slot.label else None
        return labelled if labelled not in (None, "VALUE") else "VALUE"

    def _whole(self, text: str, entity: str, slot: Slot) -> str:
        core = text.strip()
        start = text.index(core) if core else 0
        stand_in = self._pseudonyms.of(core, entity)
        if stand_in != core:
            self.log.add(slot.channel, entity, core, stand_in)
        return text[:start] + stand_in + text[start + len(core) :]

    def _value_stand_in(self, text: str) -> str:
        return self._pseudonyms.of(text, "VALUE")

    def _detected(self, text: str, slot: Slot, kind: str) -> str:
        return self._replaced(text, self._matches(text, slot, kind), slot)

    def _matches(self, text: str, slot: Slot, kind: str) -> list[Match]:
        found = []
        for f in self._knowledge.findings.get((text, slot.label, kind), ()):
            value = text[f.start : f.end]
            if f.entity == "URL" and is_xml_namespace(value):
                continue
            if f.entity == "URL" and (value.startswith("/") or host_of(value) in self._collected.hosts):
                found.append(Match(f.start, f.end, self.url(value, slot), "URL"))
                continue
            entity = self._entity.get(" ".join(value.split()).casefold(), f.entity)
            found.append(Match(f.start, f.end, self._pseudonyms.of(value, entity), entity))
        if kind != "slug":
            found += self._addresses_in(text, slot)
            if may_be_a_name(text, slot.channel):
                found += self._name_like(text)
        return merged([*found, *self._matcher.find(text)])

    def _addresses_in(self, text: str, slot: Slot) -> Iterator[Match]:
        """Yield a match for each URL of the site within a text (a call, a title, a line of code), with the masked
        form that the URL has everywhere.
        """
        for start, end in within_text(text):
            address = text[start:end]
            if self._is_of_site(address):
                masked = self.url(address, slot)
                if masked != address:
                    yield Match(start, end, masked, "URL")

    def _name_like(self, text: str, humps: bool = False) -> list[Match]:
        """Return matches for words that are written like names and are in no word list. Words that the page itself
        shows unmasked stay.
        """
        return [
            Match(*word.span(), self._pseudonyms.of(word[0], "VALUE"), "VALUE")
            for word in name_like_words(text, humps=humps)
            if word[0].lower() not in self._shown and word[0].casefold() not in self._allowed
        ]
