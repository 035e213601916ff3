"""The model gives the canonical lines and digests that docs/format.md promises, in agreement with the ports in
TypeScript.
"""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

import pytest

from pagereel.reel import DocumentModel

from .make_fixtures import CASES, PATH

EXAMPLES: list[dict[str, Any]] = json.loads(PATH.read_text())


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["name"] for example in EXAMPLES])
def test_the_examples_that_the_ports_are_held_to(example: dict[str, Any]) -> None:
    model = DocumentModel(1)
    model.apply(example["ops"])
    assert "".join(model.iter_canonical_lines()) == example["lines"]
    assert model.compute_digest() == (example["digest"], example["nodes"])
    assert model.errors == example["errors"]


def test_the_examples_are_those_of_the_script() -> None:
    assert [example["name"] for example in EXAMPLES] == list(CASES)
    assert all(example["ops"] == json.loads(json.dumps(CASES[example["name"]])) for example in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["name"] for example in EXAMPLES])
def test_the_digest_is_the_crc_of_the_lines(example: dict[str, Any]) -> None:
    lines = re.sub("[\ud800-\udfff]", "\ufffd", re.sub("[\ud800-\udbff][\udc00-\udfff]", _join, example["lines"]))
    assert f"{zlib.crc32(lines.encode()):08x}" == example["digest"]


def _join(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")


def test_a_line_written_out_by_hand() -> None:
    model = DocumentModel(1)
    model.apply(
        [["doc", 1, ["#document", {}, ["#doctype", "html", "", ""], ["input", {"type": "text", "id": "a"}], "x"]]]
    )
    assert list(model.iter_canonical_lines()) == [
        "D1\n",
        "O2 html\x1f\x1f\n",
        "E3 input\x1fid=a\x1ftype=text\x1ev\n",
        ")\n",
        "T4 x\n",
        ")\n",
    ]


def test_halves_of_a_surrogate_pair_in_neighbouring_texts_are_not_joined() -> None:
    apart, replaced = DocumentModel(1), DocumentModel(1)
    apart.apply([["doc", 1, ["#document", {}, "\ud83d", "\ude00"]]])
    replaced.apply([["doc", 1, ["#document", {}, "\ufffd", "\ufffd"]]])
    assert apart.compute_digest() == replaced.compute_digest()
