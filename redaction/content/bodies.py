"""Mask request and response bodies by their structure: JSON by key, forms by field, text by detection."""

from __future__ import annotations

import csv
import io
import re
from html import escape, unescape
from typing import Final, NamedTuple, cast

import orjson

from pagereel.reel import Json

from ..contracts.sink import Sink, Slot
from ..detect.cross_text.translation_files import iter_translation_files
from ..detect.cues.label_entities import find_label_entity
from ..values.known_values import extract_digits
from ..words.phrase_lists import PhraseLists
from .name_parts import FULL_NAME, iter_split_names, split_after_first_word
from .site_addresses import is_address
from .spelled_sequences import mask_letter_column, mask_sequence, to_indexed_array
from .urls import mask_query

_WORD = re.compile(r"[A-Za-z_$@-]{1,40}")
_TABLES: Final = {"text/csv": ",;\t|", "text/tab-separated-values": "\t"}
"""Media types of tables in text → the characters that may separate their cells."""
_HEAD: Final = re.compile(r"[^\W\d_][\w .:/#()-]{0,60}")
_MOST_CELLS: Final = 2_000_000
_LONGEST_LINE: Final = 1 << 17
_PART = re.compile(r'name="([^"]*)"')


_LISTS: Final = PhraseLists("bodies")
_SAYS: Final = _LISTS.to_word_set("SAYS")
_BESIDE: Final = _LISTS.to_word_set("BESIDE")
_DEEPEST_MESSAGE: Final = 6
FAILED: Final = 400
"""The least HTTP status of a failed response."""
_HEADING: Final = re.compile(r"<(title|h1)\b[^<>]*+>([^<]++)<", re.IGNORECASE)
_BEFORE_JSON: Final = "\ufeff \r\n\t"


def _strip_mime_parameters(mime: str) -> str:
    return mime.partition(";")[0].strip().lower()


DEEPEST: Final = 100
"""Levels of nesting that are read, JSON within strings included. Deeper content is dropped: programs do not nest like
that, and a build must not fail because of it.
"""


class _JsonPosition(NamedTuple):
    """The position of a value within a JSON value, and the way in which the value is masked there.

    ``path``: the keys that lead to the value, joined by dots, for the user's rules. ``key``: the label for the
    detector. ``private``, ``ruled``: see :func:`mask_json`. ``depth``: the number of levels of nesting above the value.
    """

    private: bool
    ruled: bool
    key: str = ""
    path: str = ""
    depth: int = 0

    def make_item_position(self) -> _JsonPosition:
        """Return the position of an item of a list or of JSON within a string: the same labels, one level deeper."""
        return self._replace(depth=self.depth + 1)

    def make_field_position(self, key: str) -> _JsonPosition:
        """Return the position of a field of an object. The label of the field is its key; a key that is only ``name``
        is preceded by the key of the enclosing object.
        """
        label = f"{self.key} {key}" if key.lower() == "name" and self.key else key
        return self._replace(key=label, path=f"{self.path}.{key}" if self.path else key, depth=self.depth + 1)


def mask_json(value: Json, sink: Sink, slot: Slot, *, private_by_place: bool, masked_by_rule: bool = False) -> Json:
    """Return a JSON value with its strings masked. Numbers of five digits and more are masked as strings are.

    :param private_by_place: mask each leaf because of its place, whatever it says, as in bodies. Otherwise each leaf is
        searched as text, with its key as the label, as in prompts, arguments and metadata.
    :param masked_by_rule: a rule of the user's masks the value, whatever the policy says of bodies.
    """
    return _mask_json_value(value, sink, slot, _JsonPosition(private_by_place, masked_by_rule))


def _mask_json_value(value: Json, sink: Sink, slot: Slot, position: _JsonPosition) -> Json:
    """Return the JSON value at a position with its strings and long numbers masked, or None if a rule drops it."""
    action = sink.find_rule_action("json", position.path) if position.path else None
    if action == "drop" or (position.depth > DEEPEST and isinstance(value, (dict, list))):
        return None
    if action == "allow" and not isinstance(value, (dict, list)):
        return sink.visit_harmless(value, slot) if isinstance(value, str) else value
    if action == "mask" or position.ruled:
        position = position._replace(ruled=True, private=True)

    def mask_child(inner: Json) -> Json:
        return _mask_json_value(inner, sink, slot, position.make_item_position())

    def mask_spelled_array(values: list[Json]) -> list[Json] | None:
        return mask_sequence(values, sink, slot, lambda text: str(mask_child(text)))

    if isinstance(value, str):
        inner = parse_json(value) if len(value) > 1 and position.depth < DEEPEST and value[0] in "{[" else None
        if isinstance(inner, (dict, list)):
            return orjson.dumps(mask_child(inner)).decode()
        return _mask_json_string(value, sink, slot._replace(label=position.key or slot.label), position)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)):
        return _mask_json_number(value, sink, slot._replace(label=position.key or slot.label), position.private)
    if isinstance(value, list):
        said = mask_spelled_array(value)
        if said is not None:
            return said
        rows = mask_letter_column(value, mask_spelled_array)
        out = [mask_child(v) for v in (value if rows is None else rows)]
        for nth in iter_split_names([v if isinstance(v, str) else "" for v in value]):
            full = _mask_json_value(
                f"{value[nth]} {value[nth + 1]}", sink, slot, position._replace(key=FULL_NAME, depth=0)
            )
            out[nth : nth + 2] = split_after_first_word(str(full))
        return out
    if (values := to_indexed_array(value)) is not None and (said := mask_spelled_array(values)) is not None:
        return {str(nth): v for nth, v in enumerate(said)}
    return {
        _mask_json_key(k, sink, slot._replace(label="")): _mask_json_value(
            v, sink, slot, position.make_field_position(k)
        )
        for k, v in value.items()
    }


def _mask_json_string(value: str, sink: Sink, labelled_slot: Slot, position: _JsonPosition) -> str:
    if position.ruled:
        return sink.visit_private_value(value, labelled_slot)
    if position.private:
        return (
            sink.visit_error_message(value, labelled_slot)
            if value in labelled_slot.said
            else sink.visit_body_leaf(value, labelled_slot)
        )
    return sink.visit_url(value, labelled_slot) if is_address(value) else sink.visit_text(value, labelled_slot)


def _mask_json_key(name: str, sink: Sink, slot: Slot) -> str:
    """Return a masked key of a JSON object. Words that programs use stay; a key may also be an e-mail address or a
    name, as in a map of customers.
    """
    if _WORD.fullmatch(name):
        return sink.visit_harmless(name, Slot("key name"))
    shown = sink.visit_text(name, slot._replace(label=""))
    return shown if any(map(str.isspace, shown)) else sink.visit_harmless(shown, Slot("key name"))


def _mask_json_number(value: float, sink: Sink, labelled_slot: Slot, private: bool) -> Json:
    written = str(value)
    if sum(c.isdigit() for c in written) < 5:
        return value
    masked = (
        sink.visit_body_leaf(written, labelled_slot)
        if private and isinstance(value, int)
        else sink.visit_text(written, labelled_slot)
    )
    if masked == written:
        return value
    digits = extract_digits(masked)[:15]
    return int(digits) if digits else 0


def parse_json(text: str) -> Json:
    """Return the JSON value in a text, or None if the text is not JSON."""
    try:
        return cast(Json, orjson.loads(text))
    except (orjson.JSONDecodeError, RecursionError):
        return None


def find_error_messages(text: str, mime: str, *, failed: bool) -> list[str]:
    """Return the error messages in a response body.

    :param failed: the response has an error status. In the body of a successful response only GraphQL's ``errors``
        are read.
    """
    if not failed and '"errors"' not in text:
        return []
    kind, stripped = _strip_mime_parameters(mime), text.lstrip(_BEFORE_JSON)
    found: dict[str, None] = {}
    if (kind.endswith("json") or stripped[:1] in ("{", "[")) and (value := parse_json(stripped)) is not None:
        if not failed:
            value = (
                {"errors": errors}
                if isinstance(value, dict) and isinstance(errors := value.get("errors"), list)
                else None
            )
        _collect_error_messages(value, found, under_message_key=False, is_problem_report="problem" in kind)
    elif failed and "html" in kind:
        found.update((unescape(said), None) for _, said in _HEADING.findall(text))
    elif failed and kind == "text/plain":
        found.update((line, None) for line in stripped.split("\n", 1)[:1] if line.strip())
    return list(found)


def _collect_error_messages(
    value: Json, found: dict[str, None], *, under_message_key: bool, is_problem_report: bool = False, depth: int = 0
) -> None:
    """Add to `found` each string of a response body under a key that holds error messages.

    :param under_message_key: one of the keys above this value holds error messages.
    :param is_problem_report: the body's media type is a problem report (RFC 9457).
    """
    if depth > _DEEPEST_MESSAGE:
        return
    if isinstance(value, str) and under_message_key:
        found.setdefault(value)
    elif isinstance(value, list):
        for each in value:
            _collect_error_messages(each, found, under_message_key=under_message_key, depth=depth + 1)
    elif isinstance(value, dict):
        keys = {key: re.sub(r"[-_]+", "_", key.lower()).strip("_") for key in value}
        status = value.get("status")
        tells = (
            under_message_key
            or is_problem_report
            or not _SAYS.isdisjoint(keys.values())
            or (isinstance(status, int) and status >= FAILED)
        )
        for key, each in value.items():
            if keys[key] in _SAYS or (tells and keys[key] in _BESIDE):
                _collect_error_messages(each, found, under_message_key=True, depth=depth + 1)


def mask_error_page(text: str, sink: Sink, slot: Slot) -> str:
    """Return the masked title and headings of an HTML error page. The rest of the page is left out."""
    said = ((tag.lower(), sink.visit_error_message(unescape(words), slot)) for tag, words in _HEADING.findall(text))
    return "".join(f"<{tag}>{escape(words, quote=False)}</{tag}>" for tag, words in said)


def mask_body(text: str, mime: str, sink: Sink, slot: Slot) -> str | None:
    """Return the masked body, or None if its format is unknown and the body must be dropped."""
    kind, stripped = _strip_mime_parameters(mime), text.lstrip(_BEFORE_JSON)
    if kind.endswith("json") or stripped[:1] in ("{", "["):
        value = parse_json(stripped)
        if value is not None:
            for strings in iter_translation_files(value):
                sink.learn_translation_strings(strings)
            return _mask_to_json_text(value, sink, slot)
        lines = text.splitlines()
        values = [parse_json(line) if line.strip() else None for line in lines]
        if lines and all(v is not None or not line.strip() for v, line in zip(values, lines, strict=True)):
            return "\n".join("" if v is None else _mask_to_json_text(v, sink, slot) for v in values)
        return None
    if kind == "application/x-www-form-urlencoded" or (
        kind in ("", "text/plain") and re.fullmatch(r"[\w%.*\[\]-]{1,60}=[^\s=][^\s]*", text)
    ):

        def mask_form_piece(piece: str, piece_kind: str) -> str:
            role, _, name = piece_kind.partition(" ")
            return (
                sink.visit_private_value(piece, slot._replace(label=name))
                if role == "parameter"
                else _mask_json_key(piece, sink, slot)
            )

        return mask_query(text, mask_form_piece)
    if kind.startswith("multipart/"):
        return _mask_multipart(text, sink, slot)
    if kind == "text/event-stream":
        return "\n".join(_mask_event_stream_line(line, sink, slot) for line in text.split("\n"))
    if (
        kind == "text/plain"
        and (framed := _FRAMED.match(text))
        and (value := parse_json(text[framed.end() :])) is not None
    ):
        namespace = f"/{_mask_json_key(name, sink, slot)}," if (name := framed["namespace"]) else ""
        return f"{framed['kind']}{namespace}{framed['number']}{_mask_to_json_text(value, sink, slot)}"
    if kind in _TABLES and (rows := parse_table(text, _TABLES[kind])) is not None:
        return _mask_table(rows, sink, slot)
    if (
        kind == "text/plain"
        and (rows := parse_table(text, _TABLES["text/csv"])) is not None
        and _has_personal_column(rows)
    ):
        return _mask_table(rows, sink, slot)
    if kind in ("text/plain", *_TABLES, "text/markdown"):
        return "\n".join(sink.visit_text(line, slot) if line.strip() else line for line in text.split("\n"))
    return None


def _mask_to_json_text(value: Json, sink: Sink, slot: Slot) -> str:
    """Mask a JSON value as the content of a body, and return it as JSON text."""
    return orjson.dumps(mask_json(value, sink, slot, private_by_place=True)).decode()


def parse_table(text: str, separators: str) -> list[list[str]] | None:
    """Return the rows of a table in CSV or TSV, or None if the first row does not name the columns, if more than a
    tenth of the rows have another number of cells, or if the table is too large.

    :param separators: characters that may separate cells; the one that occurs most often in the first row is used.
    """
    first = text.lstrip("\ufeff\r\n").partition("\n")[0]
    between = max(separators, key=first.count)
    if len(first) > _LONGEST_LINE or text.count(between) > _MOST_CELLS:
        return None
    try:
        rows = list(csv.reader(text.lstrip("\ufeff\r\n").splitlines(keepends=True), delimiter=between))
    except csv.Error:
        return None
    rows = [row for row in rows if row]
    if len(rows) < 2 or not all(_HEAD.fullmatch(name.strip()) for name in rows[0]):
        return None
    fitting = sum(len(row) == len(rows[0]) for row in rows)
    return rows if fitting * 10 >= len(rows) * 9 else None


def _has_personal_column(rows: list[list[str]]) -> bool:
    """Return whether the first row names three columns or more, one of them a column of personal data."""
    names = rows[0]
    return len(names) > 2 and len({len(row) for row in rows}) == 1 and any(map(find_label_entity, names))


def _mask_table(rows: list[list[str]], sink: Sink, slot: Slot) -> str:
    """Return a table as CSV with its cells masked. The first row labels the columns."""
    out = io.StringIO()
    written = csv.writer(out, lineterminator="\n")
    written.writerow(_mask_json_key(name, sink, slot) for name in rows[0])
    for row in rows[1:]:
        masked = [
            sink.visit_body_leaf(cell, slot._replace(label=rows[0][at] if at < len(rows[0]) else ""))
            if cell.strip()
            else cell
            for at, cell in enumerate(row)
        ]
        for at in iter_split_names(row):
            masked[at : at + 2] = split_after_first_word(
                sink.visit_body_leaf(f"{row[at]} {row[at + 1]}", slot._replace(label=FULL_NAME))
            )
        written.writerow(masked)
    return out.getvalue()


_FRAMED: Final = re.compile(r"(?P<kind>[0-9]{1,3})(?:/(?P<namespace>[\w-]{1,40}),)?(?P<number>[0-9]{0,6})(?=[\[{])")
"""The prefix that Engine.IO and Socket.IO put before a message's JSON: packet types, a namespace, the number of an
acknowledgement.
"""


def _mask_event_stream_line(line: str, sink: Sink, slot: Slot) -> str:
    name, colon, value = line.partition(":")
    if name != "data" or not colon:
        return _mask_event_stream_field(name, value, sink, slot) if colon else sink.visit_harmless(line, slot)
    inner = parse_json(value)
    if isinstance(inner, (dict, list)):
        return "data: " + _mask_to_json_text(inner, sink, slot)
    return "data: " + sink.visit_body_leaf(value.strip(), slot)


def _mask_event_stream_field(name: str, value: str, sink: Sink, slot: Slot) -> str:
    """Return a masked line of an event stream other than ``data``: an event's name, an id, a retry time. A line with
    another field name becomes empty.
    """
    if name == "event":
        return f"event: {sink.visit_program_name(value.strip(), slot)}"
    if name == "retry":
        return f"retry: {value.strip()}" if value.strip().isdigit() else ""
    return f"id: {sink.visit_body_leaf(value.strip(), slot)}" if name == "id" else ""


BOUNDARY = "part"
"""The multipart boundary in masked bodies. The recorded one is random, or was chosen by the page's author."""


def _mask_multipart(text: str, sink: Sink, slot: Slot) -> str | None:
    first = text.lstrip().split("\n", 1)[0].strip()
    if not first.startswith("--"):
        return None
    out = []
    for part in text.split(first):
        head, blank, body = part.partition("\r\n\r\n") if "\r\n\r\n" in part else part.partition("\n\n")
        if not blank:
            out.append("--\r\n" if part.strip() == "--" else "")
            continue
        name = m.group(1) if (m := _PART.search(head)) else ""
        if "filename=" in head:
            file = re.search(r'filename="([^"]*)"', head)
            if file:
                sink.visit_private_value(file.group(1), slot._replace(label="file name"))
            masked = "(file)"
        else:
            masked = sink.visit_private_value(body.strip("\r\n"), slot._replace(label=name))
        out.append(f'\r\nContent-Disposition: form-data; name="{_mask_json_key(name, sink, slot)}"\r\n\r\n{masked}\r\n')
    return f"--{BOUNDARY}" + f"--{BOUNDARY}".join(out[1:])
