"""Texts longer than a paragraph: read as their parts are, in no more time; what has a shape of many lines stays whole."""

from __future__ import annotations

import base64
import random

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.contracts.findings import Finding, TextContext
from pagereel.redaction.detect.filters.foreign_words import is_foreign_interface_word
from pagereel.redaction.detect.models.chunking import CHUNK, PIECE, blank_unreadable_runs, cut_text

LINES = (
    "Step 4: open the profile of Maureen Tolliver and copy her extension",
    "Perrine Oudkerk, Claims Adjuster, Vandeloo Assurance",
    "Frau Annegret Lüdemann, Sachbearbeiterin, hat am Freitag angerufen.",
    "Le dossier de Solène Kerguelen, infirmière, est complet.",
    "Contact: Tove Ringsvold, regnskapsfører, +47 22 85 50 50",
    "Approved by Oluwaseun Adebowale-Finch, Deputy Head of Procurement",
)


def covered(text: str, words: str) -> bool:
    at = text.index(words)
    (found,) = find_pii([text])
    return all(any(f.start <= i < f.end for f in found) for i in range(at, at + len(words)) if text[i].isalnum())


@pytest.mark.parametrize("sep", ["\n", "\n\n"])
def test_what_is_found_in_a_line_is_found_in_it_among_many(sep: str) -> None:
    other = [f"Ticket {number} was closed and the order was sent to the warehouse." for number in range(10, 40)]
    lines = [line for n, said in enumerate(LINES) for line in (said, *other[3 * n : 3 * n + 3])]
    alone = find_pii(lines)
    text = sep.join(lines)
    (found,) = find_pii([text])
    masked = {i for f in found for i in range(f.start, f.end)}
    at = 0
    for line, each in zip(lines, alone, strict=True):
        for f in each:
            word = line[f.start : f.end]
            assert all(at + i in masked for i in range(f.start, f.end) if line[i].isalnum()), (line, word)
        at += len(line) + len(sep)


def test_the_time_before_a_name_in_a_log_is_no_part_of_it() -> None:
    """Of some lines a model made one name: the times of these were changed, and those of their neighbours were not."""
    people = ("Maureen Tolliver", "Perrine Oudkerk", "Oluwaseun Adebowale-Finch", "Tove Ringsvold")
    lines = [f"10:{n:02} {people[n % 4]}, Claims Adjuster, called; ticket {n} was closed." for n in range(40)]
    text = "\n".join(lines)
    (found,) = find_pii([text])
    masked = {i for f in found for i in range(f.start, f.end)}
    at = 0
    for line in lines:
        assert not masked.intersection(range(at, at + 5)), line
        assert masked.issuperset(i for i in range(at + 6, at + line.index(",")) if text[i].isalpha()), line
        at += len(line) + 1


def test_a_key_of_many_lines_is_found_whole_among_other_lines() -> None:
    body = base64.b64encode(random.Random(4).randbytes(1_300)).decode()
    lines = "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
    key = f"-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----"
    before = "The build of the page was started again by the machine.\n" * 9
    assert covered(f"{before}{key}\n{before}", key)


@pytest.mark.parametrize("label", ["Author", "Owner", "Password", "Employer"])
def test_what_stands_beside_a_long_text_says_nothing_of_its_last_line(label: str) -> None:
    text = "The build of the page was started again by the machine.\n" * 40 + "Settings"
    assert find_pii([text], [TextContext(label)]) == [[]]


def test_pieces_are_the_text_and_cut_nothing_that_was_found() -> None:
    rnd = random.Random(7)
    for _ in range(300):
        text = "".join(
            rnd.choice(["a", "word ", ". ", "\n", "\n\n", "。", "x" * 90]) for _ in range(rnd.randrange(400))
        )
        starts = [rnd.randrange(len(text) + 1) for _ in range(rnd.randrange(5))]
        held = [Finding(at, min(at + rnd.randrange(1, 900), len(text)), "SECRET", 0.9) for at in starts]
        pieces = cut_text(text, PIECE, held)
        assert "".join(part for _, part in pieces) == text
        assert all(text.startswith(part, at) for at, part in pieces)
        assert not any(f.start < at < f.end for at, _ in pieces for f in held)


def test_a_word_is_cut_only_where_it_is_longer_than_what_rules_read() -> None:
    word = "x" * (2 * CHUNK + 10)
    assert [len(part) for _, part in cut_text(f"{word} b", PIECE)] == [CHUNK, CHUNK, 12]


def test_a_word_of_any_length_is_soon_known_to_be_none() -> None:
    """Each place at which one may be put together was tried, in words that were left of it, too."""
    assert not is_foreign_interface_word("a" * CHUNK)
    assert find_pii(["a" * CHUNK, "straßenbahn" * 1_000]) == [[], []]


def test_models_read_no_files_but_words_with_hyphens() -> None:
    packed = base64.b64encode(random.Random(5).randbytes(600)).decode()
    assert blank_unreadable_runs(f"a {packed} b") == f"a {' ' * len(packed)} b"
    url_safe = base64.urlsafe_b64encode(random.Random(6).randbytes(600)).decode()
    assert blank_unreadable_runs(url_safe).isspace()
    slug = "what-maureen-tolliver-said-of-the-" * 10
    assert blank_unreadable_runs(slug) == slug


def test_who_owns_a_home_folder_is_found_with_a_dot_in_the_name() -> None:
    """A model made an address of it, which no site has."""
    for folder in (
        "/home/joaquin.kvendbresmann/notes.md",
        "/Users/joaquin.kvendbresmann/notes.md",
        "/home/joaquin/notes.md",
    ):
        owner = folder.split("/")[2]
        assert any(owner in folder[f.start : f.end] for f in find_pii([folder], ["path"])[0]), folder


def test_an_owner_in_a_path_is_no_host_of_an_address() -> None:
    (found,) = find_pii(["/home/mateo.vundheilkski/notes.md"])[0]
    assert found.entity == "HOST_PATH"
