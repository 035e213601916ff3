"""How every command behaves: help, errors, exit status, speed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pagereel import __version__
from pagereel.integrations import JobOutcome
from tests.command import PAGEREEL

from .conftest import Command

COMMANDS = (
    "record",
    "attach",
    "query",
    "export",
    "mcp",
    "setup",
    "doctor",
    "demo",
    "build",
    "redact",
    "info",
    "verify",
    "events",
    "show",
    "prune",
    "gate",
    "unmask",
    "keygen",
    "review",
)


def is_one_sentence(text: str) -> bool:
    return len(text.splitlines()) == 1 and text.startswith("pagereel: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_that_names_the_command(pagereel: Command, command: str) -> None:
    answer = pagereel(command, "--help")
    assert answer.status == 0
    assert re.search(rf"Example:\n\s+pagereel {command}\b", answer.out)


def test_no_command_shows_the_help_and_is_wrong_use(pagereel: Command) -> None:
    answer = pagereel()
    assert answer.status == 2
    assert answer.out == "" and re.search(r"^Record:\n  record +Record a page", answer.err, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "help"),
    [(("build",), "pagereel build"), (("verify", "a", "b"), "pagereel verify"), (("--nope",), "pagereel")],
)
def test_wrong_words_name_the_help_that_has_the_right_ones(
    pagereel: Command, words: tuple[str, ...], help: str
) -> None:
    answer = pagereel(*words)
    assert answer.status == 2 and is_one_sentence(answer.err)
    assert f"`{help} --help` says what it takes" in answer.err


def test_a_part_behind_the_end_is_refused(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    answer = pagereel("build", sample, tmp_path / "part.html", "--from", "99999", "--redaction", "off")
    assert answer.status == 2 and "is empty; the recording ends at" in answer.err
    assert not (tmp_path / "part.html").exists()


def test_a_library_that_is_not_there_is_not_called_read_only(pagereel: Command, tmp_path: Path) -> None:
    answer = pagereel("serve", tmp_path / "nowhere")
    assert answer.status == 2 and "is not a library" in answer.err and is_one_sentence(answer.err)


def test_an_ending_that_names_no_format_is_named(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    answer = pagereel("export", sample, tmp_path / "run.xyz")
    assert answer.status == 2 and "run.xyz" in answer.err and "--format: markdown" in answer.err


def test_version(pagereel: Command) -> None:
    answer = pagereel("--version")
    assert (answer.status, answer.out) == (0, f"pagereel {__version__}\n")


@pytest.mark.parametrize(
    "words",
    [
        ("nosuch",),
        ("info",),
        ("info", "a.reel", "b.reel"),
        ("info", "--nosuch", "a.reel"),
        ("events", "a.reel", "--from", "soon"),
        ("record", "nonsense here"),
        ("record", "http://127.0.0.1:1", "--headless"),
        ("record", "http://127.0.0.1:1", "--viewport", "big"),
        ("record", "http://127.0.0.1:1", "--time-limit", "0"),
        ("record", "http://127.0.0.1:1", "--headless", "--time-limit", "nan"),
        ("record", "http://127.0.0.1:1", "nosuch/run.reel"),
        ("record", "http://127.0.0.1:1", ".", "--overwrite"),
        ("attach", "9222", "nosuch/run.reel"),
        ("attach", "9222", "--time-limit", "nan"),
        ("query", "a.reel", "steps", "--limit", "-3"),
        ("show", "nosuch.html"),
    ],
)
def test_wrong_use_is_one_sentence_and_status_2(pagereel: Command, words: tuple[str, ...]) -> None:
    answer = pagereel(*words)
    assert answer.status == 2
    assert is_one_sentence(answer.err), answer.err
    assert answer.out == ""


@pytest.mark.parametrize("command", ["build", "info", "verify", "events", "redact"])
@pytest.mark.parametrize("kind", ["missing", "text", "empty", "folder", "future", "binary"])
def test_what_is_no_reel_is_one_sentence_and_status_2(
    pagereel: Command, tmp_path: Path, command: str, kind: str
) -> None:
    path = tmp_path / f"{kind}.reel"
    match kind:
        case "text":
            path.write_text("Not a reel, but a letter.\n")
        case "empty":
            path.touch()
        case "folder":
            path.mkdir()
        case "binary":
            path.write_bytes(os.urandom(4096))
        case "future":
            import zstandard

            lines = '{"k":"frame","n":0,"prev":null}\n{"k":"reel","format":99,"started":0}\n'
            path.write_bytes(zstandard.compress(lines.encode()))
    rest = {"build": [tmp_path / "out.html"], "redact": [tmp_path / "out.reel"]}.get(command, [])
    answer = pagereel(command, path, *rest)
    assert answer.status == 2
    assert is_one_sentence(answer.err), answer.err
    assert str(path) in answer.err
    assert answer.out == ""
    assert not (tmp_path / "out.html").exists()
    if kind == "future":
        assert "99" in answer.err and "newer" in answer.err


def test_our_own_error_is_said_to_be_one(pagereel: Command, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(path: Path) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("pagereel.reel.verify", breaks)
    answer = pagereel("verify", sample)
    assert answer.status == 2
    assert is_one_sentence(answer.err) and "PAGEREEL_DEBUG" in answer.err
    monkeypatch.setenv("PAGEREEL_DEBUG", "1")
    assert "Traceback" in pagereel("verify", sample).err


def test_help_imports_nothing_heavy() -> None:
    probe = (
        "import sys; from pagereel.cli import main; main(['--help']); "
        "print([m for m in ('playwright', 'spacy', 'rich', 'msgspec', 'jinja2', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-P", "-c", probe], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_goes_away_is_no_error(sample: Path) -> None:
    command = f"{subprocess.list2cmdline(PAGEREEL)} events {sample} | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


def test_a_part_begins_at_0_at_the_earliest(pagereel: Command, sample: Path) -> None:
    answer = pagereel("build", sample, "--from", "-5", "--redaction", "off")
    assert answer.status == 2
    assert "--from must be at least 0" in answer.err and answer.err.count("\n") == 1


@pytest.mark.parametrize("command", [("show", "--no-open"), ("verify", "--replay")])
@pytest.mark.parametrize("content", [b"", b"<p>Mine", None])
def test_what_is_no_replay_is_one_sentence_that_names_it(
    pagereel: Command, sample: Path, command: tuple[str, str], content: bytes | None
) -> None:
    path = sample.with_name("page.html")
    path.write_bytes(sample.read_bytes() if content is None else content)
    answer = pagereel(command[0], path, command[1])
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == f"pagereel: {path} is not a replay that pagereel built.\n"


def test_a_device_is_not_replaced_by_a_file(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.html"
    os.mkfifo(pipe)
    for words in (("build", sample, pipe, "--redaction", "off"), ("redact", sample, pipe)):
        answer = pagereel(*words)
        assert answer.status == 2 and is_one_sentence(answer.err) and "is not a file" in answer.err
    assert pipe.is_fifo()


def test_a_folder_that_cannot_be_made_is_one_sentence(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    answer = pagereel("build", sample, "--output", tmp_path / "taken", "--redaction", "off")
    assert answer.status == 2
    assert is_one_sentence(answer.err) and "cannot be made a folder" in answer.err


@pytest.mark.parametrize(("redaction", "said"), [("vendor", True), ("off", False)])
def test_a_replay_that_is_named_after_a_folder_is_said_not_to_be_masked_in_its_name(
    pagereel: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, redaction: str, said: bool
) -> None:
    for who in ("jane", "tom"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "trace.zip").touch()
    made = [JobOutcome(f"{who}/trace.zip", f"out/{who}-trace.html", "built") for who in ("jane", "tom")]
    monkeypatch.setattr("pagereel.cli.multiple_recordings.build_many", lambda *_, **__: made)
    answer = pagereel("build", tmp_path / "*" / "trace.zip", "--output", tmp_path / "out", "--redaction", redaction)
    assert ("rename those that name somebody" in answer.err) is said


def test_a_recording_stays_when_the_next_one_cannot_begin(
    pagereel: Command, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGEREEL_CHROMIUM", str(sample.with_name("false")))
    sample.with_name("false").write_text("#!/bin/sh\nexit 1\n")
    sample.with_name("false").chmod(0o755)
    before = sample.read_bytes()
    answer = pagereel("record", "http://127.0.0.1:1", sample, "--overwrite", "--headless", "--time-limit", "1")
    assert answer.status == 2 and is_one_sentence(answer.err), answer.err
    assert sample.read_bytes() == before


def test_what_was_masked_before_is_not_called_unmasked(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    masked, html = tmp_path / "masked.reel", tmp_path / "masked.html"
    assert pagereel("redact", sample, masked).status == 0
    for source in (masked, html):
        built = pagereel("build", source, html if source == masked else tmp_path / "again.html", "--redaction", "off")
        assert "redacted with the policy vendor before" in built.err and "NOT" not in built.err
    assert "NOT redacted" in pagereel("build", sample, tmp_path / "raw.html", "--redaction", "off").err


def test_several_that_were_masked_before_are_not_called_unmasked(
    pagereel: Command, sample: Path, tmp_path: Path
) -> None:
    masked, out = tmp_path / "masked.reel", tmp_path / "out"
    assert pagereel("redact", sample, masked).status == 0
    other = tmp_path / "other.reel"
    other.write_bytes(masked.read_bytes())
    both = pagereel("build", masked, other, "-o", out, "--redaction", "off")
    assert both.status == 0 and "redacted before" in both.err and "NOT" not in both.err
    mixed = pagereel("build", masked, sample, "-o", tmp_path / "mixed", "--redaction", "off")
    assert "NOT redacted, but for 1 whose" in mixed.err


def test_help_of_export_names_every_format(pagereel: Command) -> None:
    from pagereel.integrations import EXPORTERS

    told = pagereel("export", "--help").out
    assert [name for name in EXPORTERS if name not in told] == []


def test_words_of_other_tools_lead_to_what_is_here(pagereel: Command, sample: Path) -> None:
    for words, here in (
        (("build", sample, "--policy", "vendor"), "--redaction"),
        (("redact", sample, "masked.reel", "--policy", "vendor"), "--redaction"),
        (("report", sample), "pagereel info"),
    ):
        answer = pagereel(*words)
        assert answer.status == 2 and here in answer.err, answer.err


def test_a_build_says_by_which_policy_how_much_was_replaced(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    assert re.search(r"redaction: vendor, \d+ values replaced in \d+ places", pagereel("build", sample, tmp_path / "a.html").out)  # fmt: skip
    assert "redaction:" not in pagereel("build", sample, tmp_path / "b.html", "--redaction", "off").out


def test_python_dash_m_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "pagereel", "nosuch"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "") and "No such command 'nosuch'" in done.stderr
