"""Replace each known value by its stand-in, in every string of a recording, by the string's role."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ..content.css import mask_css
from ..content.form_controls import is_colour
from ..content.hosts import mask_host_of_url
from ..content.identifiers import find_personal_number_spans, is_identifier_channel
from ..content.markup import mask_data_url
from ..content.site_addresses import is_address, is_site_address, is_xml_namespace, iter_address_spans, read_host
from ..content.urls import mask_url
from ..contracts.policy import Policy, normalize_spaces
from ..contracts.sink import MASKED, Sink, Slot
from ..detect.cues.label_entities import find_label_entity
from ..detect.filters.name_like_words import is_single_word, iter_name_like_words, may_be_name_in_channel
from ..detect.source_code import iter_code_passages
from ..gate.generated_text import is_css_grammar, is_keyword_or_geometry
from ..normalise.letter_disguises import has_meaningful_character
from ..values.known_value_matcher import KnownValueMatcher, ValueMatch
from ..values.plain_titles import replace_with_plain_words
from ..values.pseudonyms import Pseudonyms
from ..values.replacement import merge_matches, replace_across_pieces, replace_matches
from ..words.word_lists import UI_WORDS, web_words
from .first_pass_knowledge import FirstPassKnowledge
from .replacement_log import ReplacementLog
from .text_forms import NO_BREAK, group_text_pieces, is_source_code, split_slug
from .unknown_words import UnknownWordMasker

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


class StandInRewriter(Sink):
    """The sink of the second pass: it returns each string masked.

    :param resources: returns for a resource's hash the hash of its masked content, or None.
    :param reel: the number of the recording, if several were read together.
    """

    def __init__(
        self,
        knowledge: FirstPassKnowledge,
        policy: Policy,
        pseudonyms: Pseudonyms,
        resources: Callable[[str], str | None],
        reel: int = 0,
    ) -> None:
        self._knowledge = knowledge
        self.form = knowledge.form
        self._reel = reel
        self._policy = policy
        self._pseudonyms = pseudonyms
        self._allowed = frozenset(policy.find_values_with_action("allow"))
        self._shown = knowledge.shown if policy.text == "detect" else frozenset()
        self._resources = resources
        self._matcher = KnownValueMatcher(knowledge.values, pseudonyms)
        self._entity = {v.text.casefold(): v.entity for v in knowledge.values}
        self._cache: dict[tuple[str, str, str], str] = {}
        self._typed_at: Counter[tuple[int, int]] = Counter()
        self.log = ReplacementLog()
        self._unknown = UnknownWordMasker(self._make_value_stand_in, self._allowed)

    def find_known_spans(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of known values in a text."""
        return [(m.start, m.end) for m in self._matcher.find_matches(text)]

    # -- roles --------------------

    def visit_text(self, text: str, slot: Slot) -> str:
        if slot.channel in _OF_THE_RECORDING:
            shown = replace_with_plain_words(
                text, self.log.record_matches(self._find_matches(text, slot, "text"), slot, text)
            )
            if shown != text:
                self._pseudonyms.record_stand_in(text, shown)
            return shown
        if self._policy.text == "mask" and not slot.channel.startswith(_OF_THE_RUN):
            return self._replace_whole(text, "VALUE", slot) if has_meaningful_character(text) else text
        return self._mask_found_values(text, slot, "text")

    def visit_code(self, text: str, slot: Slot) -> str:
        return self._mask_found_values(text, slot, "code")

    def visit_text_nodes(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        if len(pieces) == 1 or self._policy.text == "mask":
            return [self.visit_text(piece, slot) for piece in pieces]
        out: list[str] = []
        for parts in self._group_pieces(pieces):
            out += self._mask_text_group(parts, slot)
        return out

    def _group_pieces(self, pieces: Sequence[str]) -> list[list[list[str]]]:
        """Return adjacent texts in groups that are read as one text. Groups with a known value across their border
        are joined: a page may cut a value between words.
        """
        found = group_text_pieces(pieces)
        values = self._matcher.find_matches("".join(pieces)) if len(found) > 1 else []
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

    def _mask_text_group(self, parts: Sequence[Sequence[str]], slot: Slot) -> list[str]:
        pieces = [piece for part in parts for piece in part]
        joined = "".join(pieces)
        matches = self._find_matches(joined, slot, "text")
        for texts in (["".join(part) for part in parts] if len(parts) > 1 else [], pieces):
            offset = 0
            for text in texts:
                matches += [
                    m._replace(start=m.start + offset, end=m.end + offset)
                    for m in self._find_matches(text, slot, "text")
                ]
                offset += len(text)
        return replace_across_pieces(pieces, self.log.record_matches(merge_matches(matches), slot, joined))

    def visit_code_nodes(self, pieces: Sequence[str], slot: Slot, written: bool) -> list[str]:
        if self._policy.text == "mask":
            return [self.visit_text(piece, slot) for piece in pieces]
        code = "".join(pieces)
        found = self._find_matches_in_code(code, slot, written, everywhere=False)
        return replace_across_pieces(pieces, self.log.record_matches(found, slot, code))

    def _find_matches_in_code(self, code: str, slot: Slot, written: bool, everywhere: bool) -> list[ValueMatch]:
        """Return the matches to mask in source code.

        :param written: somebody may be editing it, so unknown words in its strings and comments are masked.
        :param everywhere: unknown words are masked in all of the code.
        """
        matches = list(self._find_matches(code, slot, "code"))
        for start, end, label in iter_code_passages(code):
            found = self._find_matches(code[start:end], slot._replace(label=label), "text")
            if written:
                found = merge_matches([*found, *self._unknown.iter_matches(code[start:end])])
            matches += [m._replace(start=m.start + start, end=m.end + start) for m in found]
        return merge_matches([*matches, *self._unknown.iter_matches(code)] if everywhere else matches)

    def visit_harmless(self, text: str, slot: Slot) -> str:
        if is_keyword_or_geometry(slot.channel.removeprefix("dom.attribute.").lower(), text):
            return text
        if len(text) > _SHORT and is_identifier_channel(slot.channel, text):
            return self._mask_identifiers(text, slot)
        return self._replace_and_log_matches(text, self._matcher.find_matches(text), slot)

    def _mask_identifiers(self, text: str, slot: Slot) -> str:
        """Return one or several identifiers, masked. An identifier has the same result in the page and in its style
        sheets.
        """
        known = slot.channel.endswith(_HEADERS)
        key = (text, slot.channel if slot.channel.endswith((_HEADERS, _KEYS)) else "", "name")
        if key not in self._cache:
            numbers = [
                ValueMatch(a, b, self._pseudonyms.make_stand_in(text[a:b], "ID"), "ID")
                for a, b in find_personal_number_spans(text)
            ]
            words = [] if known else self._find_name_like_matches(text, in_camel_case=not slot.channel.endswith(_KEYS))
            found = self.log.record_matches(
                merge_matches([*self._matcher.find_matches(text), *numbers, *words]), slot, text
            )
            found = [m._replace(replacement=_IN_A_NAME.sub("-", m.replacement)) for m in found]
            self._cache[key] = replace_matches(text, found)
        return self._cache[key]

    def visit_program_name(self, text: str, slot: Slot) -> str:
        def replace_word(word: str) -> str:
            self.log.counts[slot.channel, "VALUE"] += 1
            return self._make_value_stand_in(word)

        if text.casefold() in self._allowed:
            return text
        return self._mask_identifiers(self._unknown.mask_program_name(text, replace_word), slot)

    def visit_private_value(self, text: str, slot: Slot) -> str:
        if not has_meaningful_character(text):
            return text  # empty, or masked in the page already
        if is_colour(text):
            return _GREY[: len(text.strip())]
        if self._is_site_url(text):
            return self._mask_site_url(text, slot)
        if is_source_code(text, slot.label) and self._policy.text != "mask":
            return self._replace_and_log_matches(
                text, self._find_matches_in_code(text, slot, written=True, everywhere=True), slot
            )
        return self._replace_whole(text, self._find_entity(text, slot), slot)

    def visit_typed_value(self, text: str, slot: Slot, node: tuple[int, int]) -> str:
        """Return the beginning of a stand-in while its value is typed. Its length grows in quarters, so that it does
        not reveal the number of typed letters.
        """
        text = text.replace(NO_BREAK, " ")
        series = self._knowledge.typed.get((self._reel, *node), [])
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
        whole = self.visit_private_value(final, slot)
        if final == text:
            return whole
        part = -(-len(text) * _QUARTERS // len(final))
        return whole[: max(1, len(whole) * part // _QUARTERS)]

    def visit_body_leaf(self, text: str, slot: Slot) -> str:
        if self._policy.bodies == "detect" and not slot.channel.startswith("dom."):
            return self.visit_url(text, slot) if is_address(text) else self.visit_text(text, slot)
        if text in self._knowledge.messages and self._policy.text == "detect":
            return self.visit_text(text, Slot(slot.channel))  # masked in the same way everywhere
        words = text.lower().replace("_", " ").replace("-", " ").split()
        if all(w in UI_WORDS for w in words) and find_label_entity(slot.label) is None:
            return text
        if text.startswith(("http://", "https://", "/")) and " " not in text:
            return self.visit_url(text, slot)
        return self._replace_whole(text, self._find_entity(text, slot), slot)

    def visit_error_message(self, text: str, slot: Slot) -> str:
        return self.visit_body_leaf(text, slot if is_address(text) else slot._replace(label=""))

    def visit_credential(self, text: str, slot: Slot) -> str:
        self.log.record_replacement(slot.channel, "SECRET", text, MASKED)
        return self._pseudonyms.make_stand_in(text, "SECRET")

    def visit_url(self, text: str, slot: Slot) -> str:
        key = (text, "", "url")
        if key not in self._cache:
            self._cache[key] = self._mask_any_url(
                text, lambda piece, what: self._mask_url_piece(text, piece, what, slot)
            )
        masked = self._cache[key]
        if masked != text:
            self.log.record_masked_url(slot.channel, text)
        return masked

    def list_masked_urls(self) -> dict[str, str]:
        """Return the masked form of each URL that was masked so far."""
        return {text: masked for (text, _, kind), masked in self._cache.items() if kind == "url"}

    def visit_css(self, text: str, slot: Slot) -> str:
        key = (text, "", "css")
        if key not in self._cache:
            self._cache[key] = mask_css(
                text,
                lambda t: self._mask_sheet_string(t, slot),
                lambda u: self.visit_url(u, slot),
                lambda t: self._mask_rest_of_sheet(t, slot),
                self._mask_css_name,
            )
        return self._cache[key]

    def _mask_sheet_string(self, text: str, slot: Slot) -> str:
        """Return a masked string of a style sheet. A single word is masked as an identifier is."""
        shown = self.visit_text(text, slot)
        return self._mask_identifiers(text, slot) if shown == text and is_single_word(text) else shown

    def _mask_css_name(self, name: str) -> str:
        return name if name.lower().lstrip("-") in web_words() else self._mask_identifiers(name, Slot("css name"))

    def is_translation_string(self, text: str) -> bool:
        return self._knowledge.translations.contains_string(text)

    def visit_resource(self, sha256: str, slot: Slot) -> str | None:
        return self._resources(sha256)

    # -- helpers --------------------

    def _mask_rest_of_sheet(self, text: str, slot: Slot) -> str:
        """Replace known values in the rest of a style sheet, but not in its grammar: a person called Violet must not
        change a colour.
        """
        found = [m for m in self._matcher.find_matches(text) if not is_css_grammar(text, m.start, m.end)]
        return self._replace_and_log_matches(text, found, slot)

    def _replace_and_log_matches(self, text: str, matches: Sequence[ValueMatch], slot: Slot) -> str:
        """Return a text with its matches replaced, and count the replacements."""
        return replace_matches(text, self.log.record_matches(matches, slot, text))

    def _is_site_url(self, text: str) -> bool:
        """Return whether a value is a URL of the recorded site, and no known value of another type."""
        return self._is_address_of_site(text) and normalize_spaces(text).casefold() not in self._entity

    def _is_address_of_site(self, text: str) -> bool:
        return is_site_address(text, self._knowledge.hosts, self._knowledge.segments)

    def _mask_site_url(self, text: str, slot: Slot) -> str:
        """Return a value that is a URL of the site, masked. Path segments that no other URL of the site has are
        masked whole.
        """

        def mask_piece(piece: str, piece_kind: str) -> str:
            if piece_kind == "segment" and piece not in self._knowledge.segments:
                return self._pseudonyms.make_stand_in(piece, self._find_entity(piece, slot))
            return self._mask_url_piece(text, piece, piece_kind, slot)

        masked = self._mask_any_url(text, mask_piece)
        if masked != text:
            self.log.record_replacement(slot.channel, "URL", text, masked)
        return masked

    def _mask_any_url(self, url: str, mask: Callable[[str, str], str]) -> str:
        """Return a URL whose pieces are masked, with any known value that is left in it replaced."""
        masked = mask_url(url, mask)
        if self._policy.hosts == "mask":
            masked = mask_host_of_url(masked, self._pseudonyms.make_stand_in)
        return replace_matches(masked, self._matcher.find_matches(masked))

    def _mask_url_piece(self, url: str, piece: str, piece_kind: str, slot: Slot) -> str:
        """Return a masked piece of the URL `url`.

        :param piece_kind: the kind of the piece, for a parameter followed by a space and its name.
        """
        name = piece_kind.partition(" ")[2]
        if piece_kind == "data":
            return mask_data_url(piece, self, slot, block=self._policy.images != "keep")
        if piece_kind == "segment":
            matches = self._find_matches(split_slug(piece), Slot(slot.channel), "slug")
            return replace_matches(
                piece,
                merge_matches([*self._matcher.find_matches(piece), *matches, *self._find_name_like_matches(piece)]),
            )
        if piece_kind == "fragment" and piece in self._knowledge.ids:
            return self.visit_harmless(piece, Slot("dom.attribute.id"))
        if piece_kind == "key":
            return self._mask_found_values(piece, Slot(slot.channel), "code")
        if piece_kind == "userinfo":
            return ""
        if piece_kind.startswith("parameter "):
            action = self._policy.find_rule_action("parameter", name)
            if action == "drop":
                return ""
            if action == "allow":
                return self.visit_harmless(piece, Slot(slot.channel))
            if self._policy.parameters == "detect" and action is None:
                return self._mask_found_values(piece, Slot(slot.channel, name), "text")
            if self._is_site_url(piece):
                return self._mask_site_url(piece, slot)
        label = {"mailto": "email", "tel": "phone", "sms": "phone"}.get(piece_kind, name)
        entity = self._find_entity(piece, Slot(slot.channel, label))
        stand_in = self._pseudonyms.make_stand_in(piece, entity)
        self.log.record_url_piece(url, entity, piece, stand_in)
        return stand_in

    def _find_entity(self, text: str, slot: Slot) -> str:
        """Return the entity of a whole value: the entity of the equal known value, else the one that the value's label
        announces, else ``VALUE``.
        """
        known = self._entity.get(" ".join(text.split()).casefold())
        if known is not None:
            return known
        labelled = find_label_entity(slot.label) if slot.label else None
        return labelled if labelled not in (None, "VALUE") else "VALUE"

    def _replace_whole(self, text: str, entity: str, slot: Slot) -> str:
        core = text.strip()
        start = text.index(core) if core else 0
        stand_in = self._pseudonyms.make_stand_in(core, entity)
        if stand_in != core:
            self.log.record_replacement(slot.channel, entity, core, stand_in)
        return text[:start] + stand_in + text[start + len(core) :]

    def _make_value_stand_in(self, text: str) -> str:
        return self._pseudonyms.make_stand_in(text, "VALUE")

    def _mask_found_values(self, text: str, slot: Slot, kind: str) -> str:
        return self._replace_and_log_matches(text, self._find_matches(text, slot, kind), slot)

    def _find_matches(self, text: str, slot: Slot, kind: str) -> list[ValueMatch]:
        found = []
        for f in self._knowledge.findings.get((text, slot.label, kind), ()):
            value = text[f.start : f.end]
            if f.entity == "URL" and is_xml_namespace(value):
                continue
            if f.entity == "URL" and (value.startswith("/") or read_host(value) in self._knowledge.hosts):
                found.append(ValueMatch(f.start, f.end, self.visit_url(value, slot), "URL"))
                continue
            entity = self._entity.get(" ".join(value.split()).casefold(), f.entity)
            found.append(ValueMatch(f.start, f.end, self._pseudonyms.make_stand_in(value, entity), entity))
        if kind != "slug":
            found += self._iter_masked_site_urls(text, slot)
            if may_be_name_in_channel(text, slot.channel):
                found += self._find_name_like_matches(text)
        return merge_matches([*found, *self._matcher.find_matches(text)])

    def _iter_masked_site_urls(self, text: str, slot: Slot) -> Iterator[ValueMatch]:
        """Yield a match for each URL of the site within a text (a call, a title, a line of code), with the masked
        form that the URL has everywhere.
        """
        for start, end in iter_address_spans(text):
            address = text[start:end]
            if self._is_address_of_site(address):
                masked = self.visit_url(address, slot)
                if masked != address:
                    yield ValueMatch(start, end, masked, "URL")

    def _find_name_like_matches(self, text: str, in_camel_case: bool = False) -> list[ValueMatch]:
        """Return matches for words that are written like names and are in no word list. Words that the page itself
        shows unmasked stay.
        """
        return [
            ValueMatch(*word.span(), self._pseudonyms.make_stand_in(word[0], "VALUE"), "VALUE")
            for word in iter_name_like_words(text, in_camel_case=in_camel_case)
            if word[0].lower() not in self._shown and word[0].casefold() not in self._allowed
        ]
