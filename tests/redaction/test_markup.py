"""Markup as text: whatever form a name has in it, a sink is shown it, and nothing else is passed on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

import pytest

from pagereel.redaction.content.markup import mask_data_url, mask_markup
from pagereel.redaction.content.styled_attributes import SheetStyledAttributes
from pagereel.redaction.contracts.sink import Slot

SVG = Slot("resource.svg")
PAGE = Slot("resource.document")


class Starred:
    """A sink that puts a star in place of all that it may mask."""

    form = SheetStyledAttributes()

    def visit_text_nodes(self, pieces: Sequence[str], slot: Slot) -> list[str]:
        return [self.visit_text(piece, slot) if piece.strip() else piece for piece in pieces]

    def visit_text(self, text: str, slot: Slot) -> str:
        return "*"

    visit_css = visit_private_value = visit_url = visit_text

    def visit_harmless(self, text: str, slot: Slot) -> str:
        return text


def masked(text: str, slot: Slot = SVG) -> str:
    sink: Any = Starred()
    return mask_markup(text, sink, slot)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("<text><![CDATA[Jane > Roe]]></text>", "<text>*</text>"),
        ("<text><![CDATA[Jane Roe", "<text>*"),
        ('<!DOCTYPE svg "Jane > Roe"><g/>', "<g/>"),
        ('<!DOCTYPE svg [<!ENTITY who "Jane Roe">]><text>&who;</text>', "<text>*</text>"),
        ('<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"/>', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
        ("<!ELEMENT Jane Roe><g/>", "<g/>"),
        ("<?note Jane > Roe?><g/>", "<g/>"),
        ("<g title=Jane fill=red/>", '<g title="*" fill="red/">'),
        ("<g title = 'Jane' Jane Roe />", '<g title="*"/>'),
        ('<g title="Jane > Roe" x="1">a</g>', '<g title="*" x="1">*</g>'),
        ("<g title='Jane \"Roe\"'/>", '<g title="*"/>'),
        ('<g fill="red" fill="Jane"/>', '<g fill="red"/>'),
        ('<g title="Jane Roe', ""),
        ("<g></g Jane Roe>", "<g></g>"),
        ("mail <jane@roe.example> now", "**"),
        ("a < b and Jane", "*"),
        ("</ Jane Roe><g/>", "<g/>"),
        ("<style title='Jane'>a{}</style>", '<style title="*">*</style>'),
        ("<style/><text>Jane</text><style>a{}</style>", "<style/><text>*</text><style>*</style>"),
        ("<styled>Jane</styled>", "<styled>*</styled>"),
        ("<script>Jane</script ><metadata>Jane</metadata><script/><g/>", "<g/>"),
        ('<img srcset="/jane.png 1x, /roe.png 2x">', '<img srcset="* 1x, * 2x">'),
    ],
)  # fmt: skip
def test_every_form_of_a_name_is_masked_or_left_out(given: str, shown: str) -> None:
    assert masked(given) == shown


def test_a_page_keeps_its_mode_of_layout() -> None:
    assert masked('<!doctype HTML PUBLIC "Jane"><p>x</p>', PAGE) == "<!DOCTYPE html><p>*</p>"


def test_a_drawing_in_an_address_is_masked_likewise() -> None:
    sink: Any = Starred()
    url = "data:image/svg+xml,<svg><text title=Jane><![CDATA[Jane]]></text></svg>"
    done = unquote(mask_data_url(url, sink, Slot("dom.attribute.src"), block=False))
    assert done == 'data:image/svg+xml,<svg><text title="*">*</text></svg>'


@pytest.mark.parametrize(
    "piece", ["<", "<a ", "<!--", "<!DOCTYPE a [", "<![CDATA[", "<a b='", "<a b=c", "<style>", "<?"]
)
def test_broken_markup_is_read_to_its_end(piece: str) -> None:
    assert "Jane" not in masked(piece * 20_000 + " Jane")
