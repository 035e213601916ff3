"""The built JavaScript and CSS that ship with pagereel: made from ``injector_js`` and ``player_build/player``."""

from importlib.resources import files


def read(name: str) -> str:
    """Return the text of the built file ``name``: ``injector.js``, ``player.js``, ``take.js`` or ``player.css``."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
