"""The one HTML file: player, style and data in a page that may load nothing."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Final

import jinja2

from pagereel import __version__, dist
from pagereel.reel import COMPACT_CHARSET, comment_of, element_of

from ..errors import BuildError

PIECES: Final = "<!--pieces-->"
"""Where they go in the template."""

BY_NEED: Final = ("panels", "timeline", "tools", "take")
"""The player's scripts that are run when the reader first asks for what they do (player/src/need.ts): inert until then, with hashes of their own."""


BESIDE: Final = ("beside",)
"""Those of a file that shows two recordings beside each other; it has a style of its own."""


def shell(late: tuple[str, ...] = BY_NEED) -> str:
    """Return the player as it stands in every file with these scripts by need: scripts and style."""
    return "".join((dist.read("player.js"), *(dist.read(f"{name}.js") for name in late), _style(late)))


def _style(late: tuple[str, ...]) -> str:
    return "".join(map(dist.read, ("player.css", "beside.css") if late == BESIDE else ("player.css",)))


def policy(*scripts: str) -> str:
    """Return the Content-Security-Policy of the file; the frame that shows the page inherits it.

    Only the player's scripts may run, by their hashes. Nothing may be fetched, framed, submitted or based elsewhere:
    what shows is inline style and bytes that the player has in memory.
    """
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    hashes = " ".join(f"'sha256-{digest}'" for digest in digests)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {hashes}",
            "style-src 'unsafe-inline'",
            "img-src blob: data:",
            "font-src blob: data:",
            "media-src blob: data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def render(
    title: str,
    theme: str,
    pieces: Iterable[tuple[str, bytes]],
    stamp: str | None = None,
    *,
    compact: bool = False,
    late: tuple[str, ...] = BY_NEED,
    summary: str = "",
) -> Iterator[bytes]:
    """Yield the file, in parts. `pieces`: name (``index``, ``chunk-3``, ``pack-0``) and compressed bytes of each.

    They come after the player, which shows the first while the browser still reads the others. `stamp` says what the
    file was made of, for whoever builds again; it stands in the first kilobytes. `compact`: see ``reel/pieces.py``.
    `late`: the scripts by need. `summary`: what the file says in a sentence, where it is no recording that a program can be asked for.
    """
    try:
        script, style = dist.read("player.js"), _style(late)
        scripts_late = {name: dist.read(f"{name}.js") for name in late}
    except FileNotFoundError:
        raise BuildError(
            "The player is not built (one of its files in dist/ is missing); run 'npm ci && npm run build', or reinstall pagereel."
        ) from None
    scripts = [script, *scripts_late.values()]
    if re.search(r"</script|<!--", "".join(scripts), re.IGNORECASE) or "</style" in style.lower():
        raise BuildError("The built player holds a text that would end its element; run 'npm run build' again.")
    if not "".join([*scripts, style]).isascii():
        raise BuildError("The built player is not plain ASCII; run 'npm run build' again.")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pagereel.player_build", "."), autoescape=True, undefined=jinja2.StrictUndefined
    )
    page = environment.get_template("template.html.j2").render(
        charset=COMPACT_CHARSET if compact else "utf-8",
        title=title,
        theme=theme,
        version=__version__,
        stamp=stamp,
        policy=policy(*scripts),
        style=style,
        script=script,
        late=scripts_late,
        beside=late == BESIDE,
        summary=summary,
    )
    head, _, tail = page.partition(PIECES)
    yield head.encode(*(("ascii", "xmlcharrefreplace") if compact else ("utf-8",)))
    yield from itertools.starmap(comment_of if compact else element_of, pieces)
    yield tail.encode()
