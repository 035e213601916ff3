"""What of a run brought about what: what came from memory, what a document asked for, what came at once with something else."""

from __future__ import annotations

from pathlib import Path

from pagereel.comparison import compare
from pagereel.reel import Json

from .runs import SHOP, Made


def pays(path: Path, link: str = "/docs", script: Json = None) -> Path:
    """A page with a link and a script; `script` is what its response has otherwise."""
    run = Made(path)
    run.step("Pay")
    run.open("/", "Shop", f"(Docs {link})", "[Pay]")
    asked, url = run.t - 300, f"{SHOP.format(port=run.port)}/app.js"
    said = {"t": asked + 40, "status": 200, **(script or {})}
    events = [("request", asked, {"page": 1, "method": "GET", "url": url, "type": "script"}), ("response", said.pop("t"), {**said, "end": asked + 40, "size": 0})]  # fmt: skip
    for kind, t, fields in sorted(events, key=lambda each: each[1]):
        run.script.run(kind, t, id="js", headers={}, **fields)
    run.call("click", 'get_by_role("button", name="Pay")')
    run.rest()
    run.end_step()
    return run.end()


def test_a_page_comes_to_rest_whose_script_came_from_memory_and_was_answered_before_it_was_asked_for(
    tmp_path: Path,
) -> None:
    memory = {"t": 1, "from": "memory"}
    a, b = pays(tmp_path / "a.reel", script=memory), pays(tmp_path / "b.reel", "/other", memory)
    found = compare(a, b, redaction=None).divergence
    assert found is not None and "has href “/other” instead of “/docs”" in found.summary


def test_a_script_is_answered_that_the_browser_broke_off_because_its_server_had_none(tmp_path: Path) -> None:
    b = pays(tmp_path / "b.reel", script={"status": 404, "error": "cancelled"})
    found = compare(pays(tmp_path / "a.reel"), b, redaction=None).divergence
    assert found is not None and found.summary == "GET /app.js answered 404 instead of 200."


def reads(path: Path, late: bool) -> Path:
    """Pages that ask for their words; on a slow machine each gets round to it only when the next one was clicked."""
    run = Made(path)
    run.step("Write")
    run.open("/", "Home")
    asked: list[str] = []
    for page in ("new", "old", "all"):
        run.call("click", f'get_by_role("link", name="{page}")')
        for before in asked:
            run.fetch("GET", f"/words?of={before}", answer={before: "said"})
        run.document(f"/{page}", page, "Form")
        asked = [page] if late else []
        if not late:
            run.fetch("GET", f"/words?of={page}", answer={page: "said"})
        for field in ("Title", "Note", "Name"):
            run.call("fill", f'get_by_label("{field}")', params={"value": "it"})
            run.rest()
    for before in asked:
        run.fetch("GET", f"/words?of={before}", answer={before: "said"})
    run.end_step()
    return run.end()


def test_what_a_document_asks_for_is_one_with_what_the_same_one_asked_for_however_late(tmp_path: Path) -> None:
    a, b = reads(tmp_path / "a.reel", late=False), reads(tmp_path / "b.reel", late=True)
    assert compare(a, b, redaction=None).equal and compare(b, a, redaction=None).equal


def opened(path: Path, took: float, *foot: str) -> Path:
    """A page that takes so many ms until it shows anything, and is left a little later."""
    run = Made(path)
    run.step("Look")
    run.open("/", "Home")
    run.call("click", 'get_by_role("link", name="All")')
    run.t += took
    run.show("All", "Kiln", ["div", {"id": "foot"}, *(["a", {"href": "/csv"}, each] for each in foot)])
    run.call("click", 'get_by_role("link", name="Home")')
    run.rest()
    run.end_step()
    return run.end()


def test_a_line_is_not_late_where_others_are_there_that_came_with_it_wherever_they_stand(tmp_path: Path) -> None:
    a, b = opened(tmp_path / "a.reel", 900, "Download"), opened(tmp_path / "b.reel", 100)
    found = compare(a, b, redaction=None).divergence
    assert found is not None and "Download" in found.summary
