"""Every list of kinds and ops is the table's (``reel/kinds.py``, ``reel/ops.py``) or agrees with it; and the check of that can fail."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pagereel.integrations.rrweb.nodes import RrwebSerializer
from pagereel.player_build import page_events
from pagereel.recorder.ingest import documents
from pagereel.redaction.content import document_masker
from pagereel.redaction.contracts import field_roles
from pagereel.reel import KINDS, OPS, EventKind, PageModel, document, find_event_kinds, find_redaction_channels
from pagereel.reel.agent_events import NoteEvent
from pagereel.reel.ops import OpKind

ROOT = Path(__file__).resolve().parents[2]
PLAYER = ROOT / "player_build" / "player" / "src"


def missing_kinds(table: dict[str, EventKind]) -> dict[str, set[str]]:
    """For each list of kinds that is not made from the table: what it lacks, or has too many."""
    found: dict[str, set[str]] = {}

    def agree(where: str, has: set[str], wanted: set[str]) -> None:
        if has != wanted:
            found[where] = has ^ wanted

    rows = format_rows()
    agree("docs/format.md", set(rows), set(table))
    for name in rows.keys() & table.keys():
        fields = set(_fields(table[name])) - {"t", "d", "n"}
        agree(f"docs/format.md: {name}", rows[name] & fields, fields)
    story = (PLAYER / "history" / "story.ts").read_text()
    told = set(re.findall(r'^ {6}case "(\w+)"', story, re.MULTILINE))
    told |= set(re.findall(r"^ {2}(\w+): ", story[story.index("const ITEMS") : story.index("};")], re.MULTILINE))
    beside = {name for name, kind in table.items() if kind.built == "run" and kind.shows not in ("", "page", "checks")}
    agree("the player's history/story.ts", told, beside)
    history = (PLAYER / "history" / "recording.ts").read_text() + (PLAYER / "history" / "document-log.ts").read_text()
    drawn = {name for name, kind in table.items() if kind.built == "page" and kind.shows == "page"}
    agree("the player's history/document-log.ts", set(re.findall(r'\bk === "(\w+)"', history)), drawn)
    return found


def missing_ops(table: dict[str, OpKind]) -> dict[str, set[str]]:
    """The same for ops."""
    found: dict[str, set[str]] = {}

    def agree(where: str, has: set[str], wanted: set[str]) -> None:
        if has != wanted:
            found[where] = has ^ wanted

    text = (ROOT / "docs" / "format.md").read_text()
    section = text[text.index("### Ops") : text.index("### Page model")]
    agree("docs/format.md", set(re.findall(r'`\["(\w+)"', section)), set(table))
    agree("reel/document.py", set(document._APPLY), set(table))
    rewritten = {
        name.removeprefix("_mask_")[:-3]
        for name in vars(document_masker._DocumentMasker)
        if name.startswith("_mask_") and name.endswith("_op") and name != "mask_op"
    }
    agree("redaction/content/document_masker.py", rewritten, {name for name, op in table.items() if op.words})
    state = (PLAYER / "state" / "document.ts").read_text()
    built = {"shown", "css", "mode"}
    agree(
        "the player's state/document.ts", set(re.findall(r'^ {6}case "(\w+)"', state, re.MULTILINE)) - built, set(table)
    )
    said = (ROOT / "injector_js" / "src" / "encoding" / "ops.ts").read_text()
    said = said[said.index("export type Op =") : said.index("export interface AnimationState")]
    ours = {name for name, op in table.items() if op.by == "script"}
    agree("the injector's encoding/ops.ts", _names(said), ours)
    from pagereel.integrations.rrweb.ops import RrwebOpWriter

    writes = set(RrwebOpWriter(RrwebSerializer.__new__(RrwebSerializer), None)._writers)  # type: ignore[arg-type]
    agree(
        "integrations/rrweb/ops.py", writes | {"doc", "add", "move", "del"}, {n for n, op in table.items() if op.rrweb}
    )
    return found


def _names(said: str) -> set[str]:
    return {name for part in re.findall(r'\[((?:"\w+"(?: \| )?)+)', said) for name in re.findall(r"\w+", part)}


def _fields(kind: EventKind) -> set[str]:
    import msgspec

    return {field.encode_name for field in msgspec.structs.fields(kind.type)}


def format_rows() -> dict[str, set[str]]:
    """Kind → the words of its row in the tables of docs/format.md."""
    text = (ROOT / "docs" / "format.md").read_text()
    page = text[text.index("## Page events") : text.index("### Ops")]
    run = text[text.index("## Run events") : text.index("## How a resource is found")]
    rows = re.findall(r"^\| `(\w+)` \| (.*)", page + run, re.MULTILINE)
    return {name: set(re.findall(r"\w+", row)) for name, row in rows}


def test_every_list_of_kinds_agrees_with_the_table() -> None:
    assert missing_kinds(KINDS) == {}


def test_every_list_of_ops_agrees_with_the_table() -> None:
    assert missing_ops(OPS) == {}


def test_a_kind_that_is_only_in_the_table_is_missed_everywhere() -> None:
    told = missing_kinds({**KINDS, "clipboard": EventKind(NoteEvent, "recorder", "run", "story")})
    assert {where for where, names in told.items() if names == {"clipboard"}} == {
        "docs/format.md",
        "the player's history/story.ts",
    }
    drawn = missing_kinds({**KINDS, "clipboard": EventKind(NoteEvent, "script", "page", "page")})
    assert drawn["the player's history/document-log.ts"] == {"clipboard"}


def test_an_op_that_is_only_in_the_table_is_missed_everywhere() -> None:
    told = missing_ops({**OPS, "shine": OpKind(lambda op: True, words=True, rrweb=True)})
    assert {where for where, names in told.items() if names == {"shine"}} == {
        "docs/format.md",
        "reel/document.py",
        "redaction/content/document_masker.py",
        "the player's state/document.ts",
        "the injector's encoding/ops.ts",
        "integrations/rrweb/ops.py",
    }


def test_lists_made_from_the_table_hold_a_kind_as_its_row_says() -> None:
    assert find_event_kinds(built="page") == page_events.PAGE_KINDS
    assert find_event_kinds(by="script") == documents.PAGE_KINDS
    assert set(field_roles.CHANNELS) == set(find_event_kinds(redacted="by field"))
    assert {name for name, kind in KINDS.items() if not kind.built} == {
        "resource", "alias", "places", "wire", "reel", "redaction", "thinned", "end",
    }, "what a build leaves out, or reads beforehand"  # fmt: skip


@pytest.mark.parametrize("name", sorted(find_event_kinds(redacted="by field")))
def test_every_field_has_a_channel_or_is_known_to_be_dropped(name: str) -> None:
    """A field that names no channel vanishes from every redacted recording: on purpose only."""
    left_out = {
        "response": {"chunks", "masked"},
        "screen": {"digest"},
        "resource": {"mime", "text", "base64"},
        "unsupported": {"detail"},
        "checkpoint": {"detail"},
    }
    channels_by_field = find_redaction_channels(KINDS[name].type)
    assert _fields(KINDS[name]) - set(channels_by_field) == left_out.get(name, set())


def test_a_model_of_a_page_knows_what_makes_pages() -> None:
    model = PageModel()
    for event in (
        {"k": "document", "t": 0, "d": 1, "page": 1, "url": "", "top": True},
        {"k": "unknown", "t": 0, "d": 1},
    ):
        model.apply(event)
    assert set(model.documents) == {1}
