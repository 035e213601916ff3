"""Writes the replay's HTML file: the player, its style and the data."""

from __future__ import annotations

import base64
import functools
import hashlib
import itertools
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import jinja2

from pagereel import __version__, dist
from pagereel.reel import COMPACT_CHARSET, PLAYER_PIECE, build_base64_element, build_dense_element, build_raw_comment

from ..errors import BuildError
from .chunks import compress_raw_deflate
from .needed_scripts import MOTION, RARE

PIECES: Final = "<!--pieces-->"
"""The place of the pieces in the template."""

BY_NEED: Final = ("export", "tools", "timeline", "panels")
"""The player's scripts that run only when the reader first needs them (player/src/script-loading.ts): inert until then, with
hashes of their own.
"""


CONVERSATION: Final = "conversation"
"""The script for a run without a page: it shows the conversation in the page's place."""


SCREENS: Final = "screens"
"""The script for a run with screens."""


WHY: Final = "why"
"""In a file whose run failed, or got over a failure."""


SOMETIMES: Final = (RARE, MOTION, CONVERSATION, SCREENS, WHY)
"""Scripts that are in a file only if the recording needs them."""


LIVE: Final = (*BY_NEED, RARE, MOTION, "live")
"""Scripts of the page that shows a recording under way, whose needs are not known in advance."""


COMPARISON: Final = ("comparison",)
"""Scripts of a file that compares two recordings; it has a style of its own."""


SUITE: Final = "suite"
"""The script of a file that holds a whole suite: the list of its tests, and search in all of them."""


_STYLED: Final = frozenset({*COMPARISON, SUITE, "live", RARE, CONVERSATION, SCREENS, WHY})
"""Scripts with a style of their own in addition to the player's."""


def list_included_scripts(needed_scripts: Collection[str]) -> tuple[str, ...]:
    """Return the names of the player scripts in a file, except the core, for a recording with these needs."""
    return (*BY_NEED, *(name for name in SOMETIMES if name in needed_scripts))


def join_shell_texts() -> bytes:
    """Return the scripts, styles and markup of the player, joined into one byte string: those that the first script of
    an ordinary replay unpacks.
    """
    return _load_player(BY_NEED).join_texts()[1]


def render_shell(extra_scripts: tuple[str, ...] = BY_NEED) -> str:
    """Return the part of a file that does not depend on the recording: scripts, style and markup. `extra_scripts`: the names of
    the scripts to include in addition to the core.
    """
    player = _load_player(extra_scripts)
    return "".join(
        (player.boot, player.look, player.core, *player.late.values(), *player.styles.values(), player.markup)
    )


_STYLE: Final = "style"
_MARKUP: Final = "markup"
"""Name of the markup in the first script's texts; the core script has an empty name (player/src/boot/main.ts)."""


@dataclass(frozen=True)
class _PlayerTexts:
    """The scripts, styles and markup of the player."""

    boot: str
    look: str
    """The style before the player has loaded."""
    core: str
    late: dict[str, str]
    """The scripts by need."""
    styles: dict[str, str]
    """The player's style, and by script name the styles of scripts that have one."""
    markup: str
    ready: bytes
    """The texts of most files, packed better than a build has time for (scripts/pack_player_shell.py)."""

    @property
    def all_scripts(self) -> tuple[str, ...]:
        return (self.boot, self.core, *self.late.values())

    def join_texts(self) -> tuple[bytes, bytes]:
        """Return the texts that the first script unpacks, joined into two byte strings; the name of a text comes before
        it.

        The first byte string has the texts that few files contain, the second those that nearly all contain, in the
        order that compresses best.
        """

        def join_pairs(*pairs: tuple[str, str]) -> bytes:
            return "\0".join(text for pair in pairs for text in pair).encode()

        few = [pair for pair in self.late.items() if pair[0] not in BY_NEED]
        most = [pair for pair in self.late.items() if pair[0] in BY_NEED]
        looks = [(_STYLE, text) for name, text in self.styles.items() if name]
        return join_pairs(*few, *looks), join_pairs(
            ("", self.core), *most, (_MARKUP, self.markup), (_STYLE, self.styles[""])
        )

    def pack_texts(self) -> bytes:
        """Return the player's texts as one compressed piece of the file.

        Scripts that few files need come first, in deflate blocks of their own; so the compressed rest, which is equal
        in nearly all files, is computed once and appended.
        """
        few, most = self.join_texts()
        if not self.ready or zlib.decompress(self.ready, -zlib.MAX_WBITS) != most:
            return compress_raw_deflate(b"\0".join((few, most)) if few else most)
        if not few:
            return self.ready
        packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        return packer.compress(few + b"\0") + packer.flush(zlib.Z_FULL_FLUSH) + self.ready


@functools.cache
def _load_player(late: tuple[str, ...]) -> _PlayerTexts:
    try:
        return _PlayerTexts(
            dist.read_built_file("boot.js"),
            dist.read_built_file("boot.css"),
            dist.read_built_file("player.js"),
            {name: dist.read_built_file(f"{name}.js") for name in late},
            {
                "": dist.read_built_file("player.css"),
                **{name: dist.read_built_file(f"{name}.css") for name in late if name in _STYLED},
            },
            _load_template("markup.html.j2").render(),
            dist.read_packed_shell(),
        )
    except FileNotFoundError:
        raise BuildError(
            "The player is not built (one of its files in dist/ is missing); run 'npm ci && npm run build', or reinstall pagereel."
        ) from None


@functools.cache
def _build_player_element(late: tuple[str, ...], compact: bool) -> bytes:
    """Return the compressed piece with the player's texts as it stands in the HTML file: as an element with text, or as
    a comment with raw bytes if `compact`.
    """
    return (build_raw_comment if compact else build_dense_element)(PLAYER_PIECE, _load_player(late).pack_texts())


def _load_template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pagereel.player_build", "."), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template(name)


def build_content_security_policy(*scripts: str, connect: str | None = None) -> str:
    """Return the Content-Security-Policy of the file; the frame that shows the page inherits it.

    Only the player's scripts may run, by their hashes. Nothing may be fetched, framed or submitted, and no base may be
    set: the page uses inline styles and bytes in the player's memory. `connect`: the only address that may be
    requested, for a live recording.
    """
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    hashes = " ".join(f"'sha256-{digest}'" for digest in digests)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {hashes}",
            *([f"connect-src {connect}"] if connect else []),
            "style-src 'unsafe-inline'",
            "img-src blob: data:",
            "font-src blob: data:",
            "media-src blob: data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def render_file(
    title: str,
    theme: str,
    pieces: Iterable[tuple[str, bytes]],
    stamp: str | None = None,
    *,
    compact: bool = False,
    extra_scripts: tuple[str, ...] = BY_NEED,
    outcome: str = "",
    summary: str = "",
    connect: str | None = None,
) -> Iterator[bytes]:
    """Yield the HTML file in parts.

    :param pieces: name (``index``, ``chunk-3``, ``pack-0``) and compressed bytes of each piece, in the order in which the player reads them.
    :param stamp: identifies what the file was made from, for later builds; it stands in the first kilobytes.
    :param compact: write bytes instead of base64, see ``reel/replay_pieces.py``.
    :param extra_scripts: the names of the scripts in the file, except the core.
    :param outcome: how the run ended, for the window's title.
    :param summary: the file's content in a sentence, for a file that is not a recording and that the command line cannot query.
    :param connect: see :func:`build_content_security_policy`.
    """
    player = _load_player(extra_scripts)
    if re.search(r"</script|<!--", player.boot, re.IGNORECASE) or "</style" in player.look.lower():
        raise BuildError("The built player holds a text that would end its element; run 'npm run build' again.")
    if not "".join((*player.all_scripts, player.look, *player.styles.values(), player.markup)).isascii():
        raise BuildError("The built player is not plain ASCII; run 'npm run build' again.")
    page = _load_template("template.html.j2").render(
        charset=COMPACT_CHARSET if compact else "utf-8",
        title=title,
        outcome=outcome,
        theme=theme,
        version=__version__,
        stamp=stamp,
        policy=build_content_security_policy(*player.all_scripts, connect=connect),
        style=player.look,
        script=player.boot,
        comparison=extra_scripts[0] == COMPARISON[0],
        suite=extra_scripts[0] == SUITE,
        summary=summary,
    )
    head, _, tail = page.partition(PIECES)
    yield head.encode(*(("ascii", "xmlcharrefreplace") if compact else ("utf-8",)))
    framed = build_raw_comment if compact else build_base64_element
    yield _build_player_element(extra_scripts, compact)
    yield from itertools.starmap(framed, pieces)
    yield tail.encode()
