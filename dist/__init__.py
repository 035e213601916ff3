"""The built JavaScript and CSS that ship with pagereel: made from ``injector_js`` and ``player_build/player``."""

from importlib.resources import files


def read(name: str) -> str:
    """Return the text of the built file ``name``: ``injector.js``, ``places.js``, ``player.css``, ``player.js`` or one of its scripts by need."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def shell() -> bytes:
    """Return the player's texts as most replays have them, in one raw deflate stream that scripts/pack.py made as small as it can be; empty in a checkout where it was not made."""
    packed = files(__name__).joinpath("shell.deflate")
    return packed.read_bytes() if packed.is_file() else b""
