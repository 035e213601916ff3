"""Ids and tokens are no differences where their use, their name or the baseline shows that they are some."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagereel.comparison import compare

from .runs import Made


def asked(path: Path, address: str, answer: Any) -> Path:
    """A run that clicks, and asks for an address then."""
    run = Made(path)
    run.step("Work")
    run.open("/", "Builds", "[Build]")
    run.call("click", 'get_by_role("button", name="Build")')
    run.fetch("GET", address, answer=answer)
    run.rest()
    run.end_step()
    return run.end()


def test_a_parameter_with_another_value_in_each_run_is_no_part_of_the_address(tmp_path: Path) -> None:
    runs = [asked(tmp_path / f"{t}.reel", f"/news?lang=en&t={t}", {"news": 3}) for t in ("Qag", "Qbx", "Qcy", "Qdz")]
    other = asked(tmp_path / "other.reel", "/news?lang=de&t=Qew", {"news": 3})
    assert compare(runs[0], runs[3], baseline=runs[1:3], redaction=None).equal
    assert not compare(runs[0], runs[3], redaction=None).equal
    assert not compare(runs[0], other, baseline=runs[1:3], redaction=None).equal


def test_a_number_by_which_paths_differ_is_an_id_elsewhere_too(tmp_path: Path) -> None:
    a = asked(tmp_path / "a.reel", "/builds/4", {"made": [4, {"1": 4}], "waiting": 2})
    b = asked(tmp_path / "b.reel", "/builds/5", {"made": [5, {"2": 5}], "waiting": 2})
    c = asked(tmp_path / "c.reel", "/builds/5", {"made": [5, {"2": 5}], "waiting": 3})
    assert compare(a, b, redaction=None).equal
    assert [each.where for each in compare(a, c, redaction=None).differences] == ["GET /builds/{n} → $.waiting"]


def test_a_name_that_ends_as_ids_do_is_one_and_a_word_is_none(tmp_path: Path) -> None:
    a = asked(tmp_path / "a.reel", "/builds", {"buildid": 4, "paid": 4})
    assert compare(a, asked(tmp_path / "b.reel", "/builds", {"buildid": 5, "paid": 4}), redaction=None).equal
    assert not compare(a, asked(tmp_path / "c.reel", "/builds", {"buildid": 4, "paid": 5}), redaction=None).equal


def test_another_order_of_a_list_is_one_difference(tmp_path: Path) -> None:
    a = asked(tmp_path / "a.reel", "/builds", {"fields": ["branch", "reason", "owner"]})
    b = asked(tmp_path / "b.reel", "/builds", {"fields": ["reason", "branch", "owner"]})
    assert [each.where for each in compare(a, b, redaction=None).differences] == ["GET /builds → $.fields, order"]
