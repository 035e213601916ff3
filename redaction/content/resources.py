"""Decide for each resource whether it is kept, masked, replaced by a placeholder, or dropped."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter

from pagereel.reel import Event, decode_body

from ..contracts.policy import Policy
from ..contracts.sink import Sink, Slot
from ..pictures import blocked_picture_notice, image_containers, pixels
from ..pictures.screens import choose_screen_action
from ..words.program_names import keep_known_media_type
from . import fonts, media_metadata
from .bodies import find_error_messages, mask_body, mask_error_page
from .charsets import decode_text, decode_with_replacement, parse_charset
from .markup import is_svg_file, mask_markup

_FONT = ("font/", "application/font", "application/x-font", "application/vnd.ms-fontobject")
_DRAWN = ("text/css", "image/", "audio/", "video/", *_FONT)
_MAY_BE_SVG = frozenset(
    ["", "application/octet-stream", "binary/octet-stream", "text/xml", "application/xml", "image/svg+xml", "image/svg"]
)
"""Media types whose bytes may be SVG. A body of any other type stays what its type says, even if a drawing stands in
it.
"""


class ResourceMasker:
    """Masks the resources of one recording: :meth:`collect_texts` in the first pass, :meth:`mask_resource` in the second."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._events: dict[str, Event] = {}
        self._done: dict[str, tuple[str, Event] | None] = {}
        self.usages: dict[str, set[str]] = {}
        self.types: dict[str, str] = {}
        self.named: dict[str, set[str]] = {}
        """URL without fragment → hashes of its responses."""
        self.bases: list[str] = []
        """Base URLs of relative ones: URLs of documents, then of style sheets."""
        self.failed: set[str] = set()
        """Hashes of the bodies of failed responses."""
        self.masked_messages: dict[str, list[str]] = {}
        """Hash of such a body → the error messages of its masked form that the recorded one does not have."""
        self.dropped: Counter[str] = Counter()
        self.sink: Sink | None = None

    def remember_resource(self, event: Event) -> None:
        """Remember a ``resource`` event."""
        self._events[str(event.get("sha256"))] = event

    def get_resource_event(self, sha: str) -> Event | None:
        """Return the recorded ``resource`` event."""
        return self._events.get(sha)

    def has_only_unmasked_pictures(self, url: str) -> bool:
        """Return whether a URL gave only pictures that stay unchanged: bitmaps that the policy keeps, or SVG drawings
        in which nothing was masked.
        """
        shas = self.named.get(url.partition("#")[0], set())
        return self._policy.images == "keep" and bool(shas) and all(map(self._is_unchanged_picture, shas))

    def _is_unchanged_picture(self, sha: str) -> bool:
        event = self._events.get(sha)
        if event is None:
            return False
        if image_containers.detect_picture_format(
            decode_body(event) or b""
        ) and not image_containers.is_text_media_type(str(event.get("mime") or "").lower()):
            return True
        done = self.mask_resource(sha)
        return done is not None and done[0] == sha

    def collect_texts(self, sink: Sink) -> None:
        """Give each text in each resource to a sink, for the first pass."""
        for sha in self._events:
            self._mask_content(sha, sink)

    def find_visual_addresses(self) -> list[str]:
        """Return the URLs of style sheets, fonts, pictures and films, and remember the URLs of the style sheets as
        bases of relative ones.
        """
        out = []
        for url, shas in self.named.items():
            mimes = {str(self._events[sha].get("mime") or "").lower() for sha in shas if sha in self._events}
            if any(mime.startswith("text/css") for mime in mimes):
                self.bases.append(url)
            if any(mime.startswith(_DRAWN) for mime in mimes):
                out.append(url)
        return out

    def get_masked_hash(self, sha: str) -> str | None:
        """Return the hash of a resource's masked content, or None if the resource is dropped. A hash that was never
        recorded stays as it is.
        """
        if sha not in self._events:
            return sha
        done = self.mask_resource(sha)
        return done[0] if done else None

    def mask_resource(self, sha: str) -> tuple[str, Event] | None:
        """Return the hash and the event of a masked resource, or None if it is dropped."""
        if sha not in self._done:
            assert self.sink is not None
            self._done[sha] = None
            data = self._mask_content(sha, self.sink)
            old = self._events[sha]
            if data is None:
                self.dropped[keep_known_media_type(str(old.get("mime") or "unknown"))[:40]] += 1
            else:
                self._done[sha] = self._build_event(old, data)
        return self._done[sha]

    def _build_event(self, old: Event, data: tuple[bytes, str]) -> tuple[str, Event]:
        body, mime = data[0], keep_known_media_type(data[1])
        new = hashlib.sha256(body).hexdigest()
        event: Event = {"k": "resource", "t": old.get("t", 0), "sha256": new, "mime": mime, "size": len(body)}
        try:
            if "text" not in old and not mime.startswith("text/"):
                raise UnicodeError
            event["text"] = body.decode("utf-8")
        except UnicodeError:
            event["base64"] = base64.b64encode(body).decode()
        return new, event

    def _mask_content(self, sha: str, sink: Sink) -> tuple[bytes, str] | None:
        event = self._events[sha]
        data = decode_body(event) or b""
        mime = str(event.get("mime") or self.types.get(sha) or "").partition(";")[0].strip().lower()
        charset = parse_charset(str(event.get("mime") or "")) or parse_charset(self.types.get(sha, ""))
        channels = self.usages.get(sha, set())
        if not channels:  # no kept event names it: a checkpoint's picture, or an unknown kind's
            return None
        if "screenshot.body" in channels:
            return self._mask_picture(data, self._policy.screenshots)
        if "screen.sheets" in channels:  # its other pictures are made with its event
            return self._mask_picture(data, "keep") if choose_screen_action(self._policy) == "keep" else None
        if "dom.canvas" in channels:
            return self._mask_picture(data, self._policy.canvases, ("Canvas", "canvases"))
        if "dom.film" in channels:
            kept = self._policy.media == "keep" and self._policy.images == "keep"
            option = "media" if self._policy.media != "keep" else "images"
            return self._mask_picture(data, "keep" if kept else "block", ("Video", option))
        if "request.post" in channels:
            return self._mask_body(data, self.types.get(sha) or mime, sink, "request.post", charset)
        if image_containers.detect_picture_format(data) and not image_containers.is_text_media_type(mime):
            return self._mask_picture(data, self._policy.images, ("Picture", "images"))
        if mime in _MAY_BE_SVG and is_svg_file(text := decode_with_replacement(data, charset)):
            kept = self._policy.images == "keep"
            if not kept and blocked_picture_notice.is_notice(data):
                return self._mask_picture(data, "block", ("Picture", "images"))
            drawn = mask_markup(text, sink, Slot("resource.svg")) if kept else pixels.build_grey_svg(text)
            return drawn.encode(), "image/svg+xml"
        if mime.startswith(_FONT) or fonts.is_font(data):
            clean = fonts.strip_font_metadata(data)
            return (clean, mime or "font/woff2") if clean else None
        if mime == "text/css":
            return _encode_sheet_as_utf8(
                sink.visit_css(decode_with_replacement(data, charset), Slot("resource.css")), data
            ), mime
        if mime.startswith(("audio/", "video/")):
            clean = media_metadata.blank_metadata(data) if self._policy.media == "keep" else None
            return (clean, mime) if clean else None
        if "html" in mime or "xml" in mime:
            if self._policy.documents == "drop":
                return self._mask_body(data, mime, sink, "response.body", charset, sha) if sha in self.failed else None
            return mask_markup(decode_with_replacement(data, charset), sink, Slot("resource.document")).encode(), mime
        return self._mask_body(data, mime, sink, "response.body", charset, sha)

    def _mask_picture(
        self, data: bytes, action: str, kind_and_option: tuple[str, str] | None = None
    ) -> tuple[bytes, str] | None:
        """Return the masked picture and its type, or None if it is dropped.

        :param kind_and_option: the kind of the picture and the policy's option for it, for the notice that replaces the
            picture.
        """
        if action == "blur":
            return (grey := pixels.blur_picture(data)), f"image/{image_containers.detect_picture_format(grey)}"
        if action == "block" and kind_and_option is not None:
            return blocked_picture_notice.draw_notice(data, *kind_and_option, self._policy.name)
        if action in ("block", "boxes"):  # the painted picture is made with its event
            return image_containers.build_grey_png(
                *(image_containers.read_picture_size(data) or (300, 150))
            ), "image/png"
        kind = image_containers.detect_picture_format(data)
        clean = image_containers.strip_picture_metadata(data)
        return (clean, f"image/{'x-icon' if kind == 'ico' else kind}") if clean else None

    def _mask_body(
        self, data: bytes, mime: str, sink: Sink, channel: str, charset: str = "", sha: str = ""
    ) -> tuple[bytes, str] | None:
        """Return a masked body and its type, or None if it is dropped.

        :param sha: the hash of a response's body. If that response failed, its error messages may be kept.
        """
        if self._policy.bodies == "drop" or "script" in mime or "wasm" in mime:
            return None
        text = decode_text(data, parse_charset(mime) or charset)
        if text is None:
            return None
        failed = sha in self.failed
        said = frozenset(find_error_messages(text, mime, failed=failed)) if sha else frozenset()
        if "html" in mime:
            masked: str | None = mask_error_page(text, sink, Slot(channel)) or None
        else:
            masked = mask_body(text, mime, sink, Slot(channel, said=said))
        if said and masked is not None:
            self.masked_messages[sha] = [
                each for each in find_error_messages(masked, mime, failed=failed) if each not in said
            ]
        return None if masked is None else (masked.encode(), mime.partition(";")[0] or "text/plain")


def _encode_sheet_as_utf8(sheet: str, recorded_charset: bytes) -> bytes:
    """Return a style sheet in UTF-8. If it was in another charset it gets an ``@charset`` rule, without which a
    browser reads it in its page's charset.
    """
    sheet = _CHARSET_RULE.sub("", sheet)
    data = sheet.encode("utf-8", "replace")
    if data.isascii():
        return data
    try:
        recorded_charset.decode("utf-8")
    except UnicodeDecodeError:
        return b'@charset "utf-8";' + data
    return data if b"\0" not in recorded_charset else b'@charset "utf-8";' + data


_CHARSET_RULE = re.compile(r"\A\s*@charset \"[^\"]*\";", re.IGNORECASE)
