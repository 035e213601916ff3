"""The built JavaScript and CSS that ship with pagereel: made from ``injector_js`` and ``player_build/player``."""

from importlib.resources import files


def read(name: str) -> str:
    """Return the text of the built file ``name``: ``injector.js``, ``places.js``, ``player.css``, ``player.js`` or one of its scripts by need."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
