"""Lists of phrases lie in files of data: each is read by something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pagereel.errors import UsageError
from pagereel.redaction.detect.cues import engine

ROOM = Path(__file__).resolve().parents[2] / "redaction"
LISTS = [
    *(ROOM / "words" / "phrases").glob("*.txt"),
    *(ROOM / "detect" / "cues").glob("*.txt"),
    *(ROOM / "detect" / "filters").glob("*.txt"),
]
CODE = "\n".join(path.read_text("utf-8") for path in (*ROOM.rglob("*.py"), *LISTS, *(ROOM / "detect").rglob("*.txt")))


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_each_list_is_read(path: Path) -> None:
    if path.stem == "playwright_words":  # read as a whole
        return
    names = re.findall(r"^([A-Z][A-Z0-9_]+): ", path.read_text("utf-8"), re.MULTILINE)
    assert [name for name in names if not re.search(rf"[.{{\"]{name}\b", CODE)] == []


def test_cues_of_an_entity_that_there_is_not_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "TAX_ID.txt").write_text("0.9 - - x\n")
    monkeypatch.setattr(engine.resources, "files", lambda _: tmp_path)
    with pytest.raises(UsageError, match=r"TAX_ID\.txt gives findings of the entity 'TAX_ID', which has no row"):
        engine.load_cues.__wrapped__()
