"""Collect each string of a recording, grouped by its role (text, URL, form value, credential, …), and change nothing.

:mod:`.knowledge_builder` finds the known values among the collected strings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ..content.css import mask_css
from ..content.form_controls import is_colour
from ..content.hosts import find_personal_data_in_host
from ..content.identifiers import find_personal_data_in_identifier
from ..content.markup import mask_data_url
from ..content.site_addresses import (
    is_address,
    is_site_address,
    iter_address_spans,
    looks_like_address,
    read_host,
    split_path_segments,
)
from ..content.text_masker import USER_NAME
from ..content.urls import mask_url
from ..contracts.findings import Finding
from ..contracts.policy import Policy
from ..contracts.required_packages import require_packages
from ..contracts.sink import Sink, Slot
from ..detect.cues.label_entities import find_label_entity
from ..detect.shapes.people_in_identifiers import split_name_into_words
from ..detect.shapes.secrets import find_secrets
from ..detect.shapes.shape_findings import find_by_shapes
from ..detect.source_code import iter_code_passages
from ..words.english import is_english_word
from .first_pass_knowledge import OF_THE_TEST, WORDS, CollectedStrings, FirstPassKnowledge
from .knowledge_builder import KnowledgeBuilder
from .text_forms import (
    NO_BREAK,
    PLAIN,
    find_user_name_before_date,
    group_text_pieces,
    is_source_code,
    split_slug,
)

_SEARCHED = (
    "dom.attribute",
    "dom.tag",
    "dom.states",
    "dom.masked",
    "resource.svg",
    "resource.document",
    "css name",
    "headers.header name",
    "dom.pi",
    "key name",
)
"""Channels of identifiers for styles and scripts that are searched for secrets and e-mail addresses only."""
_CAPTIONS = frozenset(
    {"dom.caption", *(f"dom.attribute.{name}" for name in ("alt", "aria-label", "placeholder", "title"))}
)
"""Channels of captions of controls."""
_CALLED = (".id", ".name")
"""Attributes that the fragment of a URL may refer to."""
_NAME_OF_CODE = re.compile(r"[^\W\d]\w{5,}")
"""An identifier in source code that may hold a person's name."""
_SHAPE = re.compile(r"[MmLlHhVvCcSsQqTtAaZzEe\d\s,.;+-]*")
"""Paths, points and times of a drawing. They are long, and need no search."""
_SHAPES = frozenset(["d", "points", "path", "values", "keytimes", "keysplines", "viewbox"])
_AMOUNT = re.compile(r"-?\d{1,3}[.,]\d|-?\d{1,2}[.,]\d\d|-?\d{1,3}")
"""A number with too few digits to be personal, such as a version or a length."""
_PACKAGE = re.compile(r"(?<=/npm/)(?:@[a-z][\w.-]*/)?[a-z][\w.-]*|(?<=/node_modules/)(?:@[a-z][\w.-]*/)?[a-z][\w.-]*")
"""The name of a package in a URL, with its scope."""
_SHORT = 3
_TOKEN = 16
"""Least characters of a path segment that may be a token, whose shape is lost if it is split into words."""
_CACHED = 9
"""Least digits of a query without ``=`` that may be a personal number."""


_JOINED = re.compile(r"[\s,.:+@_-]+")
"""Characters before or between the words of a column's name, an order or a command."""


def _is_common_phrase(text: str) -> bool:
    """Return whether a text is one or two common words in small letters, perhaps joined as programs join them
    (``-activity``, ``id,title``).
    """
    words = _JOINED.sub(" ", text).strip()
    return words.isascii() and PLAIN.fullmatch(words) is not None and all(map(is_english_word, words.split()))


def find_secrets_and_emails(name: str) -> list[Finding]:
    """Return the secrets and e-mail addresses in an identifier."""
    return find_secrets(name) + [f for f in find_by_shapes(name) if f.entity == "EMAIL_ADDRESS"]


class FirstPassCollector(Sink):
    """The sink of the first pass: it records each string, and returns it unchanged."""

    def __init__(self, policy: Policy) -> None:
        require_packages()
        self._policy = policy
        self.collected = CollectedStrings()
        self.form = self.collected.form
        """The attributes that the style sheets of all recordings select by and show. All are read before any other
        event.
        """
        self.reel = 0
        """The number of the current recording: ids of documents and nodes are unique within one recording."""
        self._captions: set[str] = set()
        """Words in the captions of controls, in lower case."""
        self._fragments: dict[tuple[str, Slot], None] = {}
        """Fragments of URLs. Which of them name an element is known at the end."""
        self._addresses: dict[tuple[str, Slot], Callable[[], None]] = {}
        """Values that may be URLs of the site → the function that adds one as a value. Which are URLs of the site is
        known at the end.
        """

    def visit_text(self, text: str, slot: Slot) -> str:
        if slot.channel in _CAPTIONS:
            self._captions.update(w.lower() for w in WORDS.findall(text))
        self._record_text(text, slot, "text")
        return text

    def visit_code(self, text: str, slot: Slot) -> str:
        self._record_text(text, slot, "code")
        return text

    def visit_text_nodes(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        found = group_text_pieces(pieces)
        said = ["".join(group) for group in found]
        if (name := find_user_name_before_date(said)) is not None:
            self._record_text(name, slot._replace(label=USER_NAME), "text")
        for group, text in zip(found, said, strict=True):
            self._record_text(text, slot, "text")
            if len(group) > 1:
                for piece in group:
                    self._record_text(piece, slot, "text")
        self.collected.vocabulary.update(w.lower() for w in WORDS.findall(" ".join(pieces)))
        return list(pieces)

    def visit_code_nodes(self, pieces: Sequence[str], slot: Slot, written: bool) -> list[str]:
        code = "".join(pieces)
        self._record_text(code, slot, "code")
        for start, end, label in iter_code_passages(code):
            self._record_text(code[start:end], slot._replace(label=label), "text")
        for name in _NAME_OF_CODE.findall(code):
            self._record_findings(name, find_personal_data_in_identifier(name), slot.channel)
        if not written:
            self.collected.vocabulary.update(w.lower() for w in WORDS.findall(code))
        return list(pieces)

    def visit_harmless(self, text: str, slot: Slot) -> str:
        if slot.channel == "dom.attribute.class":
            self.collected.classes.update(text.split())
        if slot.channel.endswith(_CALLED) and text:
            self.collected.ids.add(text)
        if (
            slot.channel.startswith(_SEARCHED)
            and len(text) > 5
            and (text, slot.channel) not in self.collected.searched
            and not self._is_public_attribute(text, slot.channel)
        ):
            self.collected.searched.add((text, slot.channel))
            if slot.channel != "css name":
                self._record_findings(text, find_secrets_and_emails(text), slot.channel)
            self._record_findings(text, find_personal_data_in_identifier(text), slot.channel)
        return text

    def _record_findings(self, text: str, found: Iterable[Finding], channel: str) -> None:
        """Record the values that were found in an identifier, a host or a path. The words of a name are separated."""
        for f in found:
            value = text[f.start : f.end]
            self.collected.found.setdefault(
                (split_name_into_words(value) if f.entity == "PERSON" else value, f.entity), channel
            )

    def visit_program_name(self, text: str, slot: Slot) -> str:
        return self.visit_harmless(text, slot._replace(channel="css name"))

    def _is_public_attribute(self, text: str, channel: str) -> bool:
        """Return whether an attribute's value is not personal: a rule of the user's allows it, or it is the geometry
        of a drawing.
        """
        name = channel.removeprefix("dom.attribute.").lower()
        return self._policy.find_rule_action("attribute", name) == "allow" or bool(
            (name in _SHAPES or channel.startswith("resource.")) and _SHAPE.fullmatch(text)
        )

    def visit_private_value(self, text: str, slot: Slot) -> str:
        if not text.strip():
            return text
        fresh = self._find_unshown_words(text)
        if looks_like_address(text):
            self._addresses.setdefault((text, slot), lambda: self._add_private_value(text, slot, fresh))
        else:
            self._add_private_value(text, slot, fresh)
        return text

    def _find_unshown_words(self, text: str) -> frozenset[str]:
        """Return the words of a text, in lower case, that the page had not shown before."""
        return frozenset({w.lower() for w in WORDS.findall(text)} - self.collected.vocabulary - self._captions)

    def _add_private_value(self, text: str, slot: Slot, unshown_words: frozenset[str]) -> None:
        if is_colour(text):
            return
        if is_source_code(text, slot.label):
            self.visit_code_nodes([text], slot, written=True)
            return
        self._record_text(text, slot, "text")
        self.collected.values.setdefault((text, slot.label), (slot.channel, unshown_words))

    def visit_typed_value(self, text: str, slot: Slot, node: tuple[int, int]) -> str:
        """Record a control's value. Of a series of prefixes, which typing produces, only the longest is a value of
        its own.
        """
        text = text.replace(NO_BREAK, " ")
        series = self.collected.typed.setdefault((self.reel, *node), [])
        series.append(text)
        previous = series[-2] if len(series) > 1 else ""
        if previous and text.startswith(previous):
            self.collected.values.pop((previous, slot.label), None)
            self.collected.texts.pop((previous, slot.label, "text"), None)
        if text.strip() and not (previous and previous.startswith(text)):
            # Typed text is no URL of the site, whatever it looks like.
            self._add_private_value(text, slot, self._find_unshown_words(text))
        return text

    def visit_body_leaf(self, text: str, slot: Slot) -> str:
        if is_address(text):
            return self.visit_url(text, slot)
        of_program = slot.channel == "response.body" and self.collected.translations.contains_string(text)
        self._record_text(text, Slot(slot.channel) if of_program else slot, "text" if len(text) < 20_000 else "code")
        return text

    def visit_error_message(self, text: str, slot: Slot) -> str:
        if is_address(text):
            return self.visit_body_leaf(text, slot)
        self.collected.messages.setdefault(text)
        self._record_text(text, Slot(slot.channel), "text")
        return text

    def visit_credential(self, text: str, slot: Slot) -> str:
        if slot.channel == "dom.hidden" and looks_like_address(text):
            self._addresses.setdefault((text, slot), lambda: self._add_secrets(text, slot))
        elif (
            slot.channel == "dom.hidden"
            and (_is_common_phrase(text) or _AMOUNT.fullmatch(text.strip()))
            and find_label_entity(slot.label) in (None, "VALUE", "TITLE")
        ):
            self._add_private_value(
                text, slot, self._find_unshown_words(text)
            )  # a repeated search or an amount: credentials are no such words
        else:
            self._add_secrets(text, slot)
        return text

    def _add_secrets(self, text: str, slot: Slot) -> None:
        pieces = [text]
        if slot.label in ("cookie", "set-cookie"):
            pairs = re.split(r";\s*|,\s*(?=[^;,\s]+=)", text) if slot.label == "cookie" else [text.partition(";")[0]]
            pieces = [p.partition("=")[2] for p in pairs]
        elif " " in text:
            pieces = [text.partition(" ")[2]]
        for piece in pieces:
            piece = piece.strip().strip('"')
            if len(piece) >= 4:
                self.collected.secrets.setdefault(piece, slot.channel)

    def visit_url(self, text: str, slot: Slot) -> str:
        def visit_piece(piece: str, piece_kind: str) -> str:
            if piece_kind == "data":
                return mask_data_url(piece, self, slot, block=self._policy.images != "keep")
            here = Slot(f"{slot.channel} {piece_kind.partition(' ')[0]}", piece_kind.partition(" ")[2])
            if piece_kind in ("segment", "token"):
                self.collected.segments.add(piece)
                if len(piece) >= _TOKEN:
                    self._record_findings(piece, find_secrets(piece), here.channel)
            if piece_kind == "userinfo":
                self.collected.secrets.setdefault(piece, here.channel)
            elif piece_kind == "key":
                self._record_text(piece, here._replace(label=""), "code")
            elif (
                piece_kind.startswith("parameter ")
                and self._policy.find_rule_action("parameter", here.label) == "allow"
            ):
                pass  # a rule of the user's allows it
            elif piece_kind == "parameter " and piece.isdigit() and len(piece) < _CACHED:
                pass  # a number against caching: masked in its place
            elif piece_kind == "fragment":
                self._fragments.setdefault((piece, here))
            elif piece_kind in ("token", "mailto", "tel", "sms") or piece_kind.startswith("parameter "):
                label = {"mailto": "email", "tel": "phone", "sms": "phone"}.get(piece_kind, here.label)
                self.visit_private_value(piece, here._replace(label=label))
            else:
                self._record_text(split_slug(piece), here, "slug")
            return piece

        mask_url(text, visit_piece)
        for package in _PACKAGE.finditer(text):
            self.collected.packages.update(w.lower() for w in WORDS.findall(package[0]) if len(w) > _SHORT)
        if "://" in text:
            self.collected.hosts.add(host := read_host(text))
            self._record_findings(host, find_personal_data_in_host(host), f"{slot.channel} host")
        return text

    def visit_css(self, text: str, slot: Slot) -> str:
        mask_css(
            text,
            lambda t: self.visit_text(t, slot),
            lambda u: self.visit_url(u, slot),
            lambda t: t,
            self._visit_css_name,
        )
        return text

    def _visit_css_name(self, name: str) -> str:
        self.collected.sheet_names.add(name.lower())
        return self.visit_harmless(name, Slot("css name"))

    def learn_program_name(self, name: str) -> None:
        self.collected.software.add(name)

    def learn_siblings(self, texts: Sequence[str]) -> None:
        self.collected.groups.add_group([(text, "", "text") for text in texts])

    def learn_translation_strings(self, strings: Sequence[str]) -> None:
        self.collected.translations.add_strings(strings)

    def is_translation_string(self, text: str) -> bool:
        return self.collected.translations.contains_string(text)

    def visit_resource(self, sha256: str, slot: Slot) -> str | None:
        self.collected.usages.setdefault(sha256, set()).add(slot.channel)
        return sha256

    def _resolve_site_urls(self) -> None:
        """Decide which collected values that look like URLs are URLs of the site. These are masked piece by piece,
        and a piece that no other URL of the site has becomes a value.
        """
        known = frozenset(self.collected.segments)
        while self._addresses:  # a parameter of a URL may be a URL
            (text, slot), as_value = self._addresses.popitem()
            if not is_site_address(text, self.collected.hosts, known) or (text, slot.label) in self.collected.values:
                as_value()
                continue
            self.visit_url(text, slot)
            for piece in split_path_segments(text):
                if piece not in known:
                    self.visit_private_value(piece, slot)
        self.collected.segments = set(known)

    def _resolve_url_fragments(self) -> None:
        for piece, here in self._fragments:
            if piece not in self.collected.ids:
                self.visit_private_value(piece, here)
        self._fragments.clear()

    def _record_text(self, text: str, slot: Slot, kind: str) -> None:
        if text and not text.isspace():
            key = (text, slot.label, kind)
            if key not in self.collected.texts or self.collected.texts[key] in OF_THE_TEST:
                self.collected.texts[key] = slot.channel
                self._record_url_segments(text, slot)
            self.collected.groups.count_text(key)

    def _record_url_segments(self, text: str, slot: Slot) -> None:
        """Record the path segments of the site's URLs within a text, which are masked there in the same way as in the
        URLs themselves.
        """

        def record_segment(piece: str, piece_kind: str) -> str:
            if piece_kind == "segment":
                self._record_text(split_slug(piece), Slot(slot.channel), "slug")
            return piece

        for start, end in iter_address_spans(text) if "://" in text else ():
            mask_url(text[start:end], record_segment)

    def build_knowledge(self, progress: Callable[[int, int], None] | None = None) -> FirstPassKnowledge:
        """Ask the detector about every text, and return the known values and findings. The collected strings are freed:
        the second pass needs few of them, and they take as much memory as the recordings' texts.

        :raises SetupError: a language model is missing.
        """
        while self._fragments or self._addresses:  # either may add to the other
            self._resolve_url_fragments()
            self._resolve_site_urls()
        collected, self.collected = self.collected, CollectedStrings()
        return KnowledgeBuilder(collected, self._policy).build(progress)
