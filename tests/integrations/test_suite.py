"""`pagereel bundle`: the recordings of many tests in one file, masked together, and each of them can be read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.errors import ReelError, UsageError
from pagereel.integrations import bundle_suite
from pagereel.player_build import build, unpack_replay
from pagereel.reading import find_first_failure, open_recording
from pagereel.redaction import redact
from pagereel.redaction.gate.generated_text import is_generated_layer
from pagereel.reel import find_pieces, open_reel, pick_header_fields
from pagereel.reel.writer import ReelWriter
from tests.comparison.runs import Made, purchase

from .suite_canaries import decoded, leaks, write_suite

CANARY = "Zebulon Quarrymore"


def recorded(path: Path, test: str, *lines: str, outcome: str = "passed", retry: int = 0, started: float = 0) -> Path:
    """A test's recording, as the pytest plugin leaves it, of a page with these lines."""
    made = Made(path.with_suffix(".raw"))
    made.open("/orders", "Orders", *lines)
    made.call(
        "click", 'get_by_role("button", name="Pay")', error="Timeout 3000ms exceeded" if outcome == "failed" else None
    )
    made.end()
    with open_reel(made.path) as reel:
        facts = {
            "test": test,
            "outcome": outcome,
            "retry": retry,
            "duration": 1500 + retry,
            "markers": ["slow", "parametrize"],
        }
        header = {**pick_header_fields(reel.header), "metadata": facts, "started": 1_760_000_000_000 + started}
        writer = ReelWriter(path, header)
        for event in reel.events():
            if event["k"] not in ("reel", "end"):
                writer.write(event)
        writer.close("done")
    made.path.unlink()
    return path


def index_of(suite: Path) -> dict[str, list[dict[str, object]]]:
    return unpack_replay(suite.read_bytes()).index  # type: ignore[return-value]


def test_two_recordings_become_a_list_with_the_failed_one_first_and_why(tmp_path: Path) -> None:
    purchase(tmp_path / "good.reel")
    purchase(tmp_path / "poor.reel", status=409, total="0", button=False)
    report = bundle_suite([tmp_path / "*.reel"], tmp_path / "suite.html", None)
    assert report.outcomes == {"failed": 1, "passed": 1} and report.recordings == 2
    failed, passed = index_of(report.destination)["tests"]
    assert (failed["name"], str(failed["cause"])[:23], passed["name"]) == ("poor", "POST /cart answered 409", "good")


def test_attempts_of_a_test_are_one_test_and_one_that_passed_at_last_is_flaky(tmp_path: Path) -> None:
    recorded(tmp_path / "a.reel", "tests/test_pay.py::test_pays[x]", outcome="failed")
    recorded(tmp_path / "b.reel", "tests/test_pay.py::test_pays[x]", retry=1, started=5000)
    recorded(tmp_path / "c.reel", "tests/test_pay.py::test_refuses", outcome="failed", started=9000)
    recorded(tmp_path / "d.reel", "tests/test_a.py::test_fails_first", outcome="failed", started=7000)
    bundle_suite([tmp_path / "*.reel"], tmp_path / "suite.html", None)
    tests = index_of(tmp_path / "suite.html")["tests"]
    assert [(test["name"], test["outcome"]) for test in tests] == [
        ("test_fails_first", "failed"),
        ("test_refuses", "failed"),
        ("test_pays[x]", "flaky"),
    ]
    flaky = tests[2]
    assert (flaky["retries"], flaky["duration"], flaky["tags"]) == (1, 1501, ["slow"])
    assert [run["outcome"] for run in flaky["runs"]] == ["failed", "passed"]  # type: ignore[attr-defined]
    assert flaky["shown"] == flaky["runs"][0]["n"]  # type: ignore[index]


def test_each_test_of_a_suite_can_be_read_and_built_again_by_its_address(tmp_path: Path) -> None:
    bad = purchase(tmp_path / "bad.reel", status=409, total="0", button=False)
    purchase(tmp_path / "good.reel")
    suite = bundle_suite([tmp_path / "*.reel"], tmp_path / "suite.html", None).destination
    test = index_of(suite)["tests"][0]
    again = open_recording(f"{suite}#test={test['id']}&t=900")
    was = open_recording(bad)
    assert [step["title"] for step in again.steps()] == [step["title"] for step in was.steps()]
    assert find_first_failure(again)["chain"] == find_first_failure(was)["chain"]
    build(f"{suite}#test={test['id']}", tmp_path / "one.html", None)
    assert unpack_replay((tmp_path / "one.html").read_bytes()).index["duration"] == was.duration
    with pytest.raises(ReelError, match=rf"2 tests; name one by its id, for example .*suite.html#test={test['id']}"):
        open_recording(suite)
    with pytest.raises(ReelError, match="has no test nobody"):
        open_recording(f"{suite}#test=nobody")


def test_what_tests_share_is_in_the_file_once(tmp_path: Path) -> None:
    for number in range(8):
        recorded(tmp_path / f"{number}.reel", f"test_many.py::test_{number}", "A long line that all pages show. " * 20)
    one = bundle_suite([tmp_path / "0.reel"], tmp_path / "one.html", None).size
    all_of_them = bundle_suite([tmp_path / "*.reel"], tmp_path / "all.html", None).size
    assert all_of_them - one < 7 * 1_700
    texts = [piece for piece in find_pieces((tmp_path / "all.html").read_bytes()) if piece.name == "texts"]
    assert len(texts) == 1


def test_no_value_of_one_run_is_in_any_layer_of_a_suite_and_it_is_the_same_person_in_both(tmp_path: Path) -> None:
    recorded(tmp_path / "a.reel", "test_a.py::test_a", f"Ordered by: {CANARY}", outcome="failed")
    recorded(tmp_path / "b.reel", "test_b.py::test_b", f"Shipped to {CANARY}, thank you")
    suite = bundle_suite([tmp_path / "*.reel"], tmp_path / "suite.html").destination
    import zlib

    html = suite.read_bytes()
    layers = b"\n".join(
        [html, *(zlib.decompress(piece.decode(), -15) for piece in find_pieces(html) if piece.name != "shell")]
    )
    assert b"Orders" in layers
    for word in CANARY.split():
        assert word.encode() not in layers
    lines = [open_recording(f"{suite}#test={test['id']}").text() for test in index_of(suite)["tests"]]
    shown = ["".join(str(text) for text in each) for each in lines]
    person = shown[0].partition("Ordered by: ")[2].split("\\n")[0].split("\n")[0][:12].strip("'\"}] ")
    assert person and person in shown[1]
    assert index_of(suite)["info"]["redaction"]  # type: ignore[call-overload]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))])
def test_no_value_of_any_run_or_report_is_in_a_suite_wherever_it_stood(tmp_path: Path, seed: int) -> None:
    """Unlike the gate, this knows all values that there were, found or not."""
    canaries, report = write_suite(tmp_path, seed)
    bundle_suite([tmp_path / "*.reel"], tmp_path / "raw.html", None, junit=report)
    shown = {place for place, _ in leaks(canaries, decoded((tmp_path / "raw.html").read_bytes()))}
    assert {*canaries.places.values()} - shown <= {"file name"}, "a test's own name stands in place of its file's"
    bundle_suite([tmp_path / "*.reel"], tmp_path / "suite.html", junit=report)
    assert leaks(canaries, decoded((tmp_path / "suite.html").read_bytes())) == []


def test_the_names_of_files_are_masked_as_titles_are(tmp_path: Path) -> None:
    for number, name in enumerate([f"Shipped to {CANARY}", "write to zebulon@quarry.example", "pays-with-a-card"]):
        made = Made(tmp_path / f"{name}.reel")
        made.open("/orders", f"Order {number}")
        made.end()
    suite = bundle_suite([tmp_path / "*.reel"], tmp_path / "suite.html").destination
    names = [str(test["name"]) for test in index_of(suite)["tests"]]
    assert "pays-with-a-card" in names and any(name.startswith("write to ") for name in names)
    assert not any(word.lower() in " ".join(names).lower() for word in (*CANARY.split(), "quarry.example"))


def test_a_suite_as_it_is_says_that_it_is_redacted_only_where_every_recording_is(tmp_path: Path) -> None:
    raw = recorded(tmp_path / "b.reel", "test_b.py::test_b", f"Shipped to {CANARY}")
    redact(raw, tmp_path / "a.reel")
    redact(raw, tmp_path / "c.reel")

    def told(*names: str) -> object:
        suite = bundle_suite([tmp_path / name for name in names], tmp_path / "suite.html", None).destination
        return index_of(suite)["info"]["redaction"]  # type: ignore[call-overload]

    assert told("a.reel", "c.reel")
    assert told("a.reel", "b.reel") is None and told("b.reel", "a.reel") is None


def test_a_pattern_that_names_nothing_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Nothing matches"):
        bundle_suite([tmp_path / "*.reel"], tmp_path / "suite.html", None)


@pytest.mark.parametrize("piece", ["index", "test-3", "chunk-40", "words-2"])
def test_a_time_in_what_pagereel_wrote_of_a_suite_is_no_known_value(piece: str) -> None:
    assert is_generated_layer(f"suite > script#pagereel-{piece} > deflate-raw")
