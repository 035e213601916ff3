"""Models are loaded in a part of the time that their own loaders take, and say what they said; what is made of them is kept for the next process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import spacy
import srsly

from pagereel.redaction.contracts import cached_file
from pagereel.redaction.contracts.cached_file import CachedFile
from pagereel.redaction.words import prefiltered_pattern, spacy_pipelines, vectors
from pagereel.redaction.words.prefiltered_pattern import PrefilteredPattern

TEXTS = (
    "Anna Kowalska moved from Łódź to Acme Corp. in May, e.g. for Dr. O'Neill's team.",
    "Je m'appelle Hélène Garnier, j'habite 12 rue des Lilas à Nantes.",
    "zzqx http://shop.example/a?b=1 :-) don't U.S. Thursday 5 pm",
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "pagereel" / "made"


def test_spacy_is_imported_without_its_command_line_and_has_it_for_who_asks() -> None:
    code = """
import sys
from pagereel.redaction.words.english import is_english_word
from pagereel.redaction.words.spacy_pipelines import load_pipeline
is_english_word("word"), load_pipeline()
assert "weasel" not in sys.modules and "spacy.cli" not in sys.modules
import spacy, spacy.cli
assert spacy.info(silent=True)["spacy_version"] == spacy.__version__
assert callable(spacy.cli.setup_cli)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("of", [spacy_pipelines.load_pipeline, spacy_pipelines.load_pipeline_for_foreign_texts])
def test_a_pipeline_reads_as_spacy_loads_it(of: object) -> None:
    pipeline = of()  # type: ignore[operator]
    alone = spacy.load(pipeline.folder, exclude=list(spacy_pipelines._UNUSED))
    for text in TEXTS:
        mine, theirs = pipeline.nlp(text), alone(text)
        assert [(t.text, t.norm_, t.shape_) for t in mine] == [(t.text, t.norm_, t.shape_) for t in theirs]
        assert [(e.text, e.label_) for e in mine.ents] == [(e.text, e.label_) for e in theirs.ents]


def test_vectors_that_are_kept_are_those_of_the_pipeline(cache: Path, tmp_path: Path) -> None:
    import numpy as np

    rows = {5: 0, 1 << 63: 2, 77_000: 1, (1 << 64) - 1: 2}
    folder = tmp_path / "vocab"
    folder.mkdir()
    srsly.write_msgpack(folder / "key2row", rows)
    np.save(folder / "vectors.npy", np.eye(3, dtype="f4"))
    (folder / "vectors.npy").rename(folder / "vectors")
    for _ in ("made", "kept"):
        loaded = vectors.load_vectors(folder)
        assert loaded is not None
        assert {key: loaded.key2row.get(key, -1) for key in [*rows, 6, 0, -1, 1 << 64]} == {**rows, 6: -1, 0: -1, -1: -1, 1 << 64: -1}  # fmt: skip
        assert loaded.find(keys=[77_000, 6]).tolist() == [1, -1]
    assert [file.name.split("-")[0] for file in cache.iterdir()] == ["vectors"]


def test_vectors_of_another_form_are_left_to_spacy(cache: Path, tmp_path: Path) -> None:
    for name in ("key2row", "vectors"):
        (tmp_path / name).write_bytes(b"")
    srsly.write_json(tmp_path / "vectors.cfg", {"mode": "floret"})
    assert vectors.load_vectors(tmp_path) is None


def test_hints_that_are_kept_are_not_read_out_of_the_patterns_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns = [
        PrefilteredPattern(r"(?:street|road)\b"),
        PrefilteredPattern(r"\d+x?"),
        PrefilteredPattern(r"ab(?i:c)", 0),
    ]
    made = [(one, hints and frozenset(hints)) for one, hints in prefiltered_pattern._load_hints(patterns)]
    assert made == [(one, one.compute_hints()) for one in patterns]
    monkeypatch.setattr(prefiltered_pattern, "_compute_hints", lambda *_: pytest.fail("a pattern was read again"))
    assert [(one, hints and frozenset(hints)) for one, hints in prefiltered_pattern._load_hints(patterns)] == made


def test_what_is_kept_is_of_what_it_was_made_of(cache: Path) -> None:
    CachedFile("a", "of this").write(b"that")
    assert CachedFile("a", "of this").read() == b"that"
    assert CachedFile("a", "of another").read() is None
    assert cache.stat().st_mode & 0o777 == 0o700


def test_what_is_damaged_or_lies_where_others_may_write_is_not_believed(cache: Path) -> None:
    CachedFile("a", "of this").write(b"that")
    cache.chmod(0o777)
    assert CachedFile("a", "of this").read() is None
    cache.chmod(0o700)
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert CachedFile("a", "of this").read() is None


def test_few_files_are_kept_and_none_where_none_can_be(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(cached_file.MOST + 3):
        CachedFile("a", str(number)).write(b"")
    assert len(list(cache.iterdir())) == cached_file.MOST
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_bytes(b"")
    CachedFile("a", "of this").write(b"that")
    assert CachedFile("a", "of this").read() is None
