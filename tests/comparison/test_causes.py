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


def test_an_answer_that_is_no_json_any_more_is_told_and_not_the_call_that_waited_for_what_it_had(
    tmp_path: Path,
) -> None:
    def run(path: Path, body: bytes) -> Path:
        made = Made(path)
        made.step("Look")
        made.open("/", "Home")
        url = f"{SHOP.format(port=made.port)}/rows"
        made.script.run("request", made.t, id="rows", page=1, method="GET", url=url, type="fetch", headers={})
        kept = made.script.resource(made.t, "application/json", body)
        made.script.run("response", made.t + 30, id="rows", status=200, headers={}, end=made.t + 30, size=9, body=kept)
        made.rest()
        made.end_step()
        return made.end()

    a, b = run(tmp_path / "a.reel", b'{"rows": [1]}'), run(tmp_path / "b.reel", b'{"rows": [1')
    found = compare(a, b, redaction=None).divergence
    assert found is not None and "GET /rows answered" in found.summary


def left(path: Path, link: str = "/docs", price: str = "", rests: float = 20) -> Path:
    """A page that is left so many ms after it came, before it rests or after."""
    run = Made(path)
    run.step("Go on")
    run.open("/", "Home")
    run.show("Kiln", f"(Docs {link})", ["td", {}, price], ["td", {}, f"Vase for {price}"])
    run.t -= 400 - rests
    run.call("click", 'get_by_role("link", name="Docs")', took=20)
    run.document("/docs", "Docs")
    run.end_step()
    return run.end()


def test_where_a_link_leads_is_told_though_its_page_is_left_before_it_rests(tmp_path: Path) -> None:
    found = compare(left(tmp_path / "a.reel", "/docs"), left(tmp_path / "b.reel", "/other"), redaction=None).divergence
    assert found is not None and "has href “/other” instead of “/docs”" in found.summary


def test_of_what_shows_at_one_moment_a_line_with_words_is_told_before_one_without(tmp_path: Path) -> None:
    a, b = left(tmp_path / "a.reel", price="48", rests=400), left(tmp_path / "b.reel", price="84", rests=400)
    found = compare(a, b, redaction=None).divergence
    assert found is not None and "Vase for 84" in found.summary
