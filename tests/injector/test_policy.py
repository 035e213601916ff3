"""The first wall knows what the second knows: the names and schemes of ``player_build/allow.json``."""

from __future__ import annotations

from typing import cast

from pagereel.player_build.allow_lists import NEVER, SCRIPT_SCHEMES, URL_ATTRIBUTES, may_keep_attribute
from pagereel.reel.model import DocumentModel

from .conftest import Recording


def test_both_walls_have_the_same_lists(recording: Recording) -> None:
    names = sorted({*URL_ATTRIBUTES, "other:href"})
    schemes = sorted({*SCRIPT_SCHEMES, "https"})
    recording.inject()
    recording.page.set_content("<main></main>")
    recording.page.evaluate(
        """([names, never, schemes]) => {
          const add = (name, value) => {
            const element = document.createElement('x-a');
            element.setAttribute(name, value);
            document.querySelector('main').append(element);
          };
          for (const name of never) add(name, 'x');
          for (const name of names) for (const scheme of schemes) add(name, ` ${scheme.replace('s', '\\tS')}:x`);
        }""",
        [names, sorted(NEVER), schemes],
    )
    recording.assert_equal()
    nodes = [node for node in cast(DocumentModel, recording.current).walk() if node.name == "x-a"]
    assert len(nodes) == len(NEVER) + len(names) * len(schemes)
    kept = [(name, value) for node in nodes for name, value in node.attrs.items()]
    assert sorted(name for name, _ in kept) == names
    assert all("http" in value and may_keep_attribute("x-a", name, value) for name, value in kept)
