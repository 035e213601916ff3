"""What credentials are called stands in one list, `front/credentials.py`, which all rooms ask."""

from __future__ import annotations

import ast
from pathlib import Path

from .arrows import ARROWS

ROOT = Path(__file__).parents[2]
WORDS = ("authorization", "cookie", "secret", "token", "api", "password", "credential")
OTHERS = {
    "front/credentials.py",
    "redaction/detect",
    "redaction/words",
    "redaction/content/secret_input.py",
    "integrations/wire/credential_mask.py",
}
"""The list itself; what people write of passwords in prose; a value that is none."""


def test_no_other_room_lists_the_names_of_credentials() -> None:
    found = []
    for file in (file for room in ARROWS for file in (ROOT / room).rglob("*.py") if "node_modules" not in file.parts):
        name = file.relative_to(ROOT).as_posix()
        if any(name.startswith(other) for other in OTHERS) or name.startswith("fixtures/"):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            lists = isinstance(node, ast.Set | ast.List | ast.Tuple)
            texts = [each for each in ast.walk(node) if isinstance(each, ast.Constant)] if lists else [node]
            said = " ".join(
                each.value for each in texts if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ).lower()
            pattern = isinstance(node, ast.Constant) and "|" in said
            if (lists or pattern) and sum(word in said for word in WORDS) >= 4:
                found.append(f"{name}:{getattr(node, 'lineno', 0)}")
    assert found == []
