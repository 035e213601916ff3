"""Mask texts in HTML and SVG markup, and ``data:`` URLs."""

from __future__ import annotations

import base64
import binascii
import html
import re
from urllib.parse import quote, unquote_to_bytes

from ..contracts.field_roles import INLINE
from ..contracts.sink import Sink, Slot
from ..pictures import image_containers
from ..pictures.pixels import build_grey_svg
from ..words.program_names import keep_known_media_type
from . import fonts
from .attribute_roles import find_attribute_role
from .charsets import decode_with_replacement, parse_charset
from .reversed_text import mask_reversed_text, reverses_letters
from .styled_attributes import mask_attribute_by_role

_DOCTYPE = r"""<!DOCTYPE(?:[^>\["']|"[^"]*"|'[^']*')*(?:\[.*?\]\s*)?>"""
_DECLARATION = re.compile(_DOCTYPE, re.DOTALL | re.IGNORECASE)
_BEFORE_ROOT = re.compile(rf"\ufeff|\s+|<\?.*?\?>|<!--.*?-->|{_DOCTYPE}", re.DOTALL | re.IGNORECASE)
_SVG_ROOT = re.compile(r"<(?:svg:)?svg[\s/>]")


def mask_data_url(url: str, sink: Sink, slot: Slot, *, block: bool) -> str:
    """Return a masked ``data:`` URL.

    Pictures and fonts lose their metadata, and SVG is masked as markup. Any other type loses its content.

    :param block: replace a picture by a grey one of its size.
    """
    head, _, rest = url.strip().partition(",")
    kind = head[5:].partition(";")[0].strip().lower()
    kind = keep_known_media_type(kind)
    empty = f"data:{kind},"
    if kind.startswith(("font/", "application/font", "application/x-font")):
        clean = fonts.strip_font_metadata(_decode_data_url(head, rest) or b"")
        return f"data:{kind};base64,{base64.b64encode(clean).decode()}" if clean else empty
    if not kind.startswith("image/"):
        return empty
    data = _decode_data_url(head, rest)
    if data is None:
        return empty
    if kind == "image/svg+xml":
        drawing = decode_with_replacement(data, parse_charset(head))
        if block:
            return "data:image/svg+xml," + quote(build_grey_svg(drawing), safe=" =:/;,()")
        return "data:image/svg+xml," + quote(mask_markup(drawing, sink, slot), safe=" =:/;,()")
    clean = (
        image_containers.build_grey_png(*(image_containers.read_picture_size(data) or (16, 16)))
        if block
        else image_containers.strip_picture_metadata(data)
    )
    if not clean:
        return empty
    name = "png" if block else kind.removeprefix("image/")
    return f"data:image/{name};base64,{base64.b64encode(clean).decode()}"


def _decode_data_url(media_type: str, encoded_data: str) -> bytes | None:
    """Return the decoded bytes of a ``data:`` URL, or None if its base64 is invalid.

    :param media_type: the media type and ``;base64``, as they stand before the comma.
    :param encoded_data: the encoded data behind the comma.
    """
    data = unquote_to_bytes(encoded_data)
    try:
        return (
            base64.b64decode(data + b"=" * (-len(data) % 4))
            if media_type.lower().rstrip().endswith(";base64")
            else data
        )
    except binascii.Error:
        return None


def is_svg_file(text: str) -> bool:
    """Return whether a text is an SVG file: its root is ``<svg``, after a byte order mark, prolog, comments and
    declarations, if any.
    """
    at = 0
    while match := _BEFORE_ROOT.match(text, at):
        at = match.end()
    return bool(_SVG_ROOT.match(text, at))


def mask_markup(text: str, sink: Sink, slot: Slot) -> str:
    """Return HTML or SVG markup with its texts, addresses and styles masked.

    CDATA becomes plain text. Scripts, comments, declarations and metadata are dropped, and a tag that is cut off at
    the end.
    """
    return _MarkupMasker(_expand_entities(text), sink, slot).mask_whole_text()


_OPENING = re.compile(r"<(?=[A-Za-z/!?])")
_TAG_NAME = re.compile(r"</?([A-Za-z][^ \t\n\f\r/>]*)")
_ATTRIBUTE = re.compile(
    r"""[ \t\n\f\r/]*([^ \t\n\f\r/>][^ \t\n\f\r/>=]*)"""
    r"""(?:[ \t\n\f\r]*=[ \t\n\f\r]*(?:"([^"]*)(?:"|\Z)|'([^']*)(?:'|\Z)|([^ \t\n\f\r>"'][^ \t\n\f\r>]*)|))?"""
)
"""One attribute, as the HTML standard reads it: quoted, unquoted, or without a value."""
_TAG_END = re.compile(r"[ \t\n\f\r/]*>")
_SAFE_NAME = re.compile(r"[A-Za-z_][\w:.-]*")
_ENTITY = re.compile(r"""<!ENTITY\s+([\w.-]+)\s+(?:"([^"&]{0,500})"|'([^'&]{0,500})')\s*>""")
_IN_LINE = frozenset(name.rpartition("|")[2] for name in INLINE) | {"br"}
_STYLES = frozenset({"style", "svg:style", "html:style", "xhtml:style"})


def _expand_entities(text: str) -> str:
    """Return the markup with the entities that its own DOCTYPE declares replaced by their text: the declarations will
    be dropped.
    """
    begin = re.search(r"<!DOCTYPE\b", text, re.IGNORECASE)
    match = _DECLARATION.match(text, begin.start()) if begin else None
    named = {m[1]: m[2] if m[2] is not None else m[3] for m in _ENTITY.finditer(match.group())} if match else {}
    return re.sub(r"&([\w.-]{1,80});", lambda m: named.get(m[1], m[0]), text) if named else text


class _MarkupMasker:
    """Masks the markup of one text, tag by tag."""

    def __init__(self, text: str, sink: Sink, slot: Slot) -> None:
        self._text = text
        self._sink = sink
        self._slot = slot
        self._out: list[str] = []
        self._run: list[tuple[int, str, bool]] = []
        """The collected texts: the index in the output, the text, and whether its letters are shown in reverse."""
        self._declared = False
        self._page = slot.channel == "resource.document"
        self._turning, self._within = "", 0
        """The element that shows its letters in reverse, and how many elements of that name are open within each other.
        """

    def mask_whole_text(self) -> str:
        at = 0
        while (opening := _OPENING.search(self._text, at)) is not None:
            self._collect_text(self._text[at : opening.start()])
            at = self._mask_markup_at(opening.start())
        self._collect_text(self._text[at:])
        self._mask_collected_text()
        return "".join(self._out)

    def _collect_text(self, part: str) -> None:
        if part:
            self._run.append((len(self._out), part, self._within > 0))
            self._out.append(part)

    def _mask_collected_text(self) -> None:
        """Mask the texts collected since the last block element as one text."""
        run, self._run = self._run, []
        plain = [html.unescape(part) for _, part, _ in run]
        if any(map(str.strip, plain)):
            for (at, _, turned), said, shown in zip(
                run, plain, self._sink.visit_text_nodes(plain, self._slot), strict=True
            ):
                if shown == said and turned and said.strip():
                    shown = mask_reversed_text(said, self._sink)
                if shown != said:
                    self._out[at] = html.escape(shown, quote=False)

    def _mask_markup_at(self, at: int) -> int:
        """Write the masked markup that begins at `at`, and return the offset behind it."""
        text = self._text
        if text.startswith("<!--", at):
            return self._find_offset_after("-->", at + 4)
        if text.startswith("<![CDATA[", at):
            end = text.find("]]>", at)
            self._collect_text(html.escape(text[at + 9 : end if end >= 0 else len(text)], quote=False))
            return self._find_offset_after("]]>", at)
        if text.startswith("<!", at):
            if re.match(r"<!doctype\s+html\b", text[at : at + 40], re.IGNORECASE):
                self._out.append("<!DOCTYPE html>")  # without it browsers use quirks mode
            declaration = None if self._declared else _DECLARATION.match(text, at)
            self._declared = True  # only the first counts; reading many to their ends would be slow
            return declaration.end() if declaration else self._find_offset_after(">", at)
        if text.startswith("<?", at):
            return self._find_offset_after("?>" if text.find("?>", at) >= 0 else ">", at)
        name = _TAG_NAME.match(text, at)
        return self._mask_tag(name[1], name.end(), text[at + 1] == "/") if name else self._find_offset_after(">", at)

    def _find_offset_after(self, closing: str, at: int) -> int:
        end = self._text.find(closing, at)
        return end + len(closing) if end >= 0 else len(self._text)

    def _mask_tag(self, name: str, at: int, closing: bool) -> int:
        attributes: dict[str, str] = {}
        while (end := _TAG_END.match(self._text, at)) is None:
            match = _ATTRIBUTE.match(self._text, at)
            if match is None:
                return len(self._text)
            attributes.setdefault(match[1], next((g for g in match.groups()[1:] if g is not None), ""))
            at = match.end()
        local = name.rpartition(":")[2].lower()
        if local not in _IN_LINE:
            self._mask_collected_text()
        alone = "/" in end.group()
        if not alone and self._within and local == self._turning:
            self._within += -1 if closing else 1
        elif not (alone or self._within or closing) and reverses_letters(local, attributes):
            self._turning, self._within = local, 1
        if local in ("script", "metadata"):
            return (
                end.end() if closing or (alone and not self._page) else self._find_element_content(name, end.end())[1]
            )
        if not _SAFE_NAME.fullmatch(name) or self._sink.visit_harmless(name, self._slot) != name:
            return end.end()
        if closing:
            self._out.append(f"</{name}>")
            return end.end()
        self._out.append(f"<{name}{self._mask_attributes(local, attributes)}{'/' if alone else ''}>")
        if name.lower() in _STYLES and not alone:
            sheet, after = self._find_element_content(name, end.end())
            self._out.append(f"{self._mask_sheet(sheet)}</{name}>")
            return after
        return end.end()

    def _find_element_content(self, name: str, at: int) -> tuple[str, int]:
        """Return the content up to an element's end tag, and the offset after that tag.

        Without an end tag the content is empty, and the offset is the end of the text.
        """
        end = re.compile(rf"</{re.escape(name)}[ \t\n\f\r/]*>", re.IGNORECASE).search(self._text, at)
        return (self._text[at : end.start()], end.end()) if end else ("", len(self._text))

    def _mask_sheet(self, sheet: str) -> str:
        if self._page:
            return self._sink.visit_css(sheet, self._slot)
        sheet = re.sub(r"<!--.*?(?:-->|\Z)", "", sheet, flags=re.DOTALL)
        if "<![CDATA[" in sheet:
            return self._sink.visit_css(sheet, self._slot)
        return html.escape(self._sink.visit_css(html.unescape(sheet), self._slot), quote=False)

    def _mask_attributes(self, tag: str, attributes: dict[str, str]) -> str:
        out = []
        for key, raw in attributes.items():
            value = html.unescape(raw)
            role = "keep" if key.startswith("xmlns") else find_attribute_role(tag, key, value, self._sink.form)
            if (
                role in ("drop", "empty")
                or not _SAFE_NAME.fullmatch(key)
                or self._sink.visit_harmless(key, self._slot) != key
            ):
                continue
            out.append(f' {key}="{html.escape(self._mask_attribute_value(role, key, value))}"')
        return "".join(out)

    def _mask_attribute_value(self, role: str, key: str, value: str) -> str:
        slot = self._slot
        if role == "name":
            slot = slot._replace(channel=f"{slot.channel}.{key.lower()}")
        return mask_attribute_by_role(role, value, self._sink, slot)
