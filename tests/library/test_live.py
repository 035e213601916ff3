"""A run is watched while it is recorded: who sees it how, what comes, and what the log says of it."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from pagereel.library import Library
from pagereel.library.intake import ActiveRecordings, LibraryWatch
from tests.redaction.reels import Maker

from .server import MAIL, Served, served, tokens

ID = "abcdef0123456789"
CANARY = "Priya Raghunathan"


class Recorder(Maker):
    """A recording that is being made."""

    def __init__(self, path: Path, id: str = ID) -> None:
        super().__init__(path, id=id, started=1_700_000_000_000, agent="live-bot")
        self.body(["p", {}, "what was before"], ["p", {}, f"Write to {MAIL}"])
        self.show(f"Orders of {CANARY}")

    def show(self, said: str) -> None:
        self.ops(["text", 6, said])
        self.writer.flush()


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    (tmp_path / "made").mkdir()
    return Recorder(tmp_path / "made" / "run.reel")


@pytest.fixture
def site(tmp_path: Path, recorder: Recorder) -> Iterator[Served]:
    Library(tmp_path / "runs").close()
    with served(
        tmp_path / "runs", "--tokens", str(tokens(tmp_path / "tokens.toml")), "--live", str(tmp_path / "made")
    ) as running:
        yield running


def part(events: Iterator[dict[str, str]]) -> dict[str, Any]:
    """The next part; its number stands in ``id``."""
    event = next(event for event in events if event["event"] == "part")
    return {**json.loads(event["data"]), "id": event["id"]}


def address(reason: str = "") -> str:
    return f"/api/v1/runs/{ID}/live{f'?reason={reason}' if reason else ''}"


def test_as_it_is_recorded_for_a_reason_and_for_all_others_by_structure(site: Served, recorder: Recorder) -> None:
    seen = [
        ("reader", "", False),
        ("internal", "look", False),
        ("raw", "look", True),
        ("admin", "", False),
        ("admin", "look", True),
    ]
    for number, (role, reason, raw) in enumerate(seen, 1):
        with site.listen(address(reason), role) as (answer, events):
            assert answer.headers["content-type"].startswith("text/event-stream")
            first = part(events)
            recorder.show(f"Order {number} of {CANARY}")
            later = part(events)
        said = json.dumps([first, later])
        assert (CANARY in said, MAIL in said) == (raw, raw), (role, reason)
        assert (first["info"]["redaction"] is None) == raw, (role, reason)
        begun = site.logged(number, did="live", what="begin")
        ended = site.logged(number, did="live", what="end")
        assert len(begun) == len(ended) == number
        assert {begun[-1]["redaction"], ended[-1]["redaction"]} == {"off" if raw else "strict"}
        assert begun[-1]["run"] == ended[-1]["run"] == ID and begun[-1]["who"] == f"the {role}"
        assert ended[-1]["seconds"] >= 0 and (begun[-1].get("reason") == "look") == raw


def test_away_from_this_machine_nobody_sees_it_as_it_is_recorded(tmp_path: Path, recorder: Recorder) -> None:
    Library(tmp_path / "runs").close()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    told = ["--tokens", str(tokens(tmp_path / "t.toml")), "--live", str(tmp_path / "made"), "--port", str(port)]
    beyond = ["--origin", "http://runs.example", "--frame-origin", "http://replays.example"]
    with served(tmp_path / "runs", *told, *beyond) as running:
        with running.listen(address("look"), "raw", to=f"127.0.0.1:{port}", Host="runs.example") as (_, events):
            assert CANARY not in json.dumps(part(events))
        assert running.logged(1, did="live")[0]["redaction"] == "strict"


def test_who_comes_late_sees_nothing_from_before_and_who_comes_back_what_was_missed(
    site: Served, recorder: Recorder
) -> None:
    with site.listen(address("look"), "raw") as (_, events):
        first = part(events)
        assert first["begin"] and "what was before" not in json.dumps(first) and CANARY in json.dumps(first)
        recorder.show("one")
        one = part(events)
    recorder.show("two")
    recorder.show("three")
    with site.listen(address("look"), "raw", Last_Event_ID=one["id"]) as (_, events):
        missed = ""
        while "three" not in missed:
            came = part(events)
            assert not came.get("begin")
            missed += json.dumps(came["page"])
        assert "two" in missed and "one" not in missed
    with site.listen(address("look"), "raw", Last_Event_ID="another-1") as (_, events):
        assert part(events)["begin"], "what is not kept is begun anew"


def test_many_watch_one_process_and_the_end_is_told_to_all(site: Served, recorder: Recorder) -> None:
    with site.listen(address(), "reader") as (_, one), site.listen(address(), "internal") as (_, two):
        assert part(one)["page"] == part(two)["page"], "one masking for all, so one stand-in"
        recorder.writer.close()
        ends = [part(one), part(two)]
        assert all(end["end"] for end in ends)
        assert list(one) == [] == list(two), "and nothing comes any more"
    assert site.get(address(), "reader").status == 404
    assert site.get("/api/v1/live", "reader").json() == {"runs": []}


def test_the_list_and_the_page_lead_to_it_and_name_nothing_of_it(site: Served) -> None:
    assert site.get("/api/v1/live", "reader").json() == {"runs": [{"id": ID, "started": 1_700_000_000_000.0}]}
    page = site.get("/", "reader").text
    assert f'href="/runs/{ID}/live"' in page and "live-bot" not in page
    led = site.get(f"/runs/{ID}", "reader")
    assert (led.status, led.headers["location"]) == (303, f"/runs/{ID}/live")
    assert site.get("/runs/nothing-here/live", "reader").status == 404
    assert site.get("/api/v1/runs/nothing-here/live", "reader").status == 404


def test_its_frame_is_of_another_origin_and_may_ask_its_own_stream_alone(site: Served) -> None:
    found = re.search(r'<iframe[^>]* src="http://([^/"]+)(/replay/[^"#]+)', site.get(f"/runs/{ID}/live", "reader").text)
    assert found
    host, path = found[1], found[2]
    shown = site.ask("GET", path, to=host)
    assert host != site.pages and f"connect-src http://{host}{path}/live;" in shown.text
    assert "frame-ancestors http://" in shown.headers["content-security-policy"]
    assert MAIL not in shown.text and CANARY not in shown.text
    with site.listen(f"{path}/live", to=host) as (answer, events):
        assert answer.status == 200 and CANARY not in json.dumps(part(events))
    assert [line["who"] for line in site.logged(3, did="live", run=ID)] == ["the reader"] * 3
    assert site.ask("GET", f"{path}x/live", to=host).status == 404
    assert site.ask("GET", f"{path}/live").status == 404, "not at the pages' own origin"
    refused = site.ask("GET", f"{path}/live", to=host, Sec_Fetch_Site="same-site", Sec_Fetch_Mode="cors")
    assert refused.status == 403, "and not for a page of another one"


def test_a_ticket_that_is_taken_elsewhere_shows_it_masked(site: Served) -> None:
    found = re.search(
        r'<iframe[^>]* src="http://([^/"]+)(/replay/[^"#]+)', site.get(f"/runs/{ID}/live?reason=look", "raw").text
    )
    assert found
    for source, raw in (("127.0.0.1", True), ("127.0.0.2", False)):
        with site.listen(f"{found[2]}/live", to=found[1], source=source) as (_, events):
            assert (CANARY in json.dumps(part(events))) == raw
    begun = site.logged(2, did="live", what="begin")
    assert [line["redaction"] for line in begun] == ["off", "strict"]


def test_what_the_library_watches_is_found_while_it_grows(tmp_path: Path, recorder: Recorder) -> None:
    with Library(tmp_path / "runs") as library:
        LibraryWatch(library, [str(tmp_path / "made")])
        making = ActiveRecordings(library.folder)
        assert [made.id for made in making.list_active_recordings()] == [ID]
        Recorder(tmp_path / "made" / "other.reel", id="0123456789abcdef")
        recorder.writer.close()
        (tmp_path / "made" / "broken.reel").write_bytes(b"no reel")
        assert [made.id for made in ActiveRecordings(library.folder).list_active_recordings()] == ["0123456789abcdef"]


def test_a_run_that_was_added_before_its_end_leads_to_its_live_view(tmp_path: Path, recorder: Recorder) -> None:
    with Library(tmp_path / "runs") as library:
        library.add(str(recorder.path), link=True)
    with served(tmp_path / "runs", "--tokens", str(tokens(tmp_path / "t.toml"))) as running:
        assert f'href="/runs/{ID}/live"' in running.get(f"/runs/{ID}", "reader").text
        with running.listen(address(), "reader") as (_, events):
            part(events)
            recorder.show("now")
            assert part(events)["page"]
        recorder.writer.close()
        assert f'href="/runs/{ID}/live"' not in running.get(f"/runs/{ID}", "reader").text
        ended = running.get(f"/runs/{ID}/live", "reader")
        assert (ended.status, ended.headers["location"]) == (303, f"/runs/{ID}")


def test_the_server_ends_while_somebody_watches(tmp_path: Path, recorder: Recorder) -> None:
    Library(tmp_path / "runs").close()
    with served(
        tmp_path / "runs", "--tokens", str(tokens(tmp_path / "t.toml")), "--live", str(tmp_path / "made")
    ) as running:
        view = running.listen(address(), "reader")
        _, events = view.__enter__()
        part(events)
    assert list(events) == []
    view.__exit__(None, None, None)
