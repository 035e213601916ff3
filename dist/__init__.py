"""The built JavaScript and CSS that ship with pagereel, made from ``injector_js`` and ``player_build/player``."""

from importlib.resources import files


def read_built_file(name: str) -> str:
    """Return the text of a built file in this folder, such as ``injector.js``, ``places.js``, ``player.css`` or
    ``player.js``.
    """
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def read_packed_shell() -> bytes:
    """Return the player's texts as most replays have them, as one raw deflate stream that scripts/pack_player_shell.py compressed as
    far as possible; b"" in a checkout without it.
    """
    packed = files(__name__).joinpath("shell.deflate")
    return packed.read_bytes() if packed.is_file() else b""
