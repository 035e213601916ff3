"""The media queries that a recording may tell of stand at three doors, in two languages: they are the same."""

from __future__ import annotations

import re
from pathlib import Path

from pagereel.redaction.contracts.field_roles import QUERIES

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "injector_js" / "src" / "config.ts"
LOG = ROOT / "player_build" / "player" / "src" / "history" / "document-log.ts"


def test_redaction_lets_pass_what_the_injector_tells() -> None:
    found = re.search(
        r"export const RECORDED_MEDIA_QUERIES = \[(.*?)\] as const", CONFIG.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    assert set(re.findall(r'"([^"]+)"', found[1])) == QUERIES


def test_the_player_takes_what_the_injector_tells() -> None:
    found = re.search(r"const QUERIES =\s+/(.*)/;", LOG.read_text(encoding="utf-8"))
    assert found is not None
    assert [query for query in sorted(QUERIES) if not re.fullmatch(found[1], query)] == []
    assert not re.fullmatch(found[1], "(width: 1px)")
