"""Builds a replay of every trace.zip and reel of a test run, and a summary in Markdown. action.yml runs this in CI.

    python scripts/replays_of.py test-results --output replays --redaction vendor --summary "$GITHUB_STEP_SUMMARY"

It needs only the `pagereel` command. Names of folders and files can contain personal data: unless redaction is off, a
replay gets the masked form of its recording's name, and an unreadable recording a number. The script prints `count=…`
and `failed=…` for $GITHUB_OUTPUT. An unreadable recording becomes a line of the summary; exit status 2: all are
unreadable.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

RECORDINGS = ("trace.zip", "*.reel")
PATIENCE = 900
"""Seconds that a command may take for one recording."""
MOST_LINES = 200
"""Lines of the table; a summary on GitHub has at most 1 MiB."""


@dataclass(frozen=True)
class RunResult:
    """The result for one recording: its name, its replay if one was built, its outcome, and the causes of a failure."""

    name: str
    replay: Path | None
    outcome: str
    chain: tuple[str, ...]
    """What went wrong first and what came of it, sentence by sentence; of a recording that could not be built, why not."""


def iter_recordings(folder: Path) -> Iterator[Path]:
    """Yield the recordings in a folder and its subfolders, in order of their paths."""
    yield from sorted({path for pattern in RECORDINGS for path in folder.rglob(pattern) if path.is_file()})


def make_run_name(recording: Path, folder: Path) -> str:
    """Return a name for a recording's replay that tells its test: the names of its folders, and the file's name of a
    reel.
    """
    parts = list(recording.relative_to(folder).parts[:-1])
    if recording.name != "trace.zip" or not parts:
        parts.append(recording.stem)
    return to_file_name("-".join(parts))


def to_file_name(text: str) -> str:
    """Return a text as a file name that is valid on every file system."""
    return re.sub(r"[^\w.-]+", "-", text) or "run"


def make_unique_name(name: str, taken_names: set[str]) -> str:
    """Return `name`, with a number if it is in `taken_names` (regardless of case), and add it to `taken_names`."""
    stem, number = name, 1
    while name.lower() in taken_names:
        number += 1
        name = f"{stem}-{number}"
    taken_names.add(name.lower())
    return name


def run_json_command(command: list[str], *arguments: str) -> tuple[dict[str, object], str]:
    """Run a command with `--json`. Return the object that it printed, and "" or the last line of its error message."""
    try:
        done = subprocess.run(
            [*command, *arguments, "--json"],
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return {}, f"pagereel took more than {PATIENCE} s"
    except OSError as error:
        return {}, f"{command[0]} cannot be started ({error.strerror or error})"
    try:
        return json.loads(done.stdout), ""
    except ValueError:
        said = done.stderr.strip().splitlines()
        return {}, said[-1].removeprefix("pagereel: ") if said else f"pagereel ended with {done.returncode}"


def build_replay(
    command: list[str], recording: Path, name: str, output: Path, redaction: str, taken_names: set[str]
) -> RunResult:
    """Build a replay of one recording, and query it for the causes of a failure. Return the result.

    With redaction the name is masked as the replay's title, and the masked title names the file.
    """
    masked = redaction != "off"
    made = output / f".{len(taken_names)}.html"
    title = ["--title", name] if masked else []
    told, why = run_json_command(command, "build", str(recording), str(made), "--redaction", redaction, *title)
    if why or not made.is_file():
        if masked:
            name, why = f"recording-{len(taken_names) + 1}", why.replace(str(recording), "the recording")
        return RunResult(make_unique_name(name, taken_names), None, "unreadable", (why or "nothing was built",))
    name = make_unique_name(to_file_name(str(told.get("title") or "run")) if masked else name, taken_names)
    replay = made.replace(output / f"{name}.html")
    told, _ = run_json_command(
        command, "query", "first-failure", str(replay), "--redaction", "off"
    )  # The replay itself is masked.
    chain = told.get("chain")
    return RunResult(
        name, replay, str(told.get("outcome") or "unknown"), tuple(map(str, chain)) if isinstance(chain, list) else ()
    )


def render_summary(runs: list[RunResult]) -> str:
    """Return the summary as Markdown: a table of the runs with the causes of each failure, failed runs first."""
    if not runs:
        return "## Replays\n\nNo recording was found.\n"
    failed = [run for run in runs if run.outcome == "failed"]
    said = f"{len(failed)} of {len(runs)} recorded {'run' if len(runs) == 1 else 'runs'} failed."
    lines = ["## Replays", "", said, "", "| run | what went wrong first | replay |", "|---|---|---|"]
    ordered = sorted(
        runs,
        key=lambda run: (
            ("failed", "unreadable").index(run.outcome) if run.outcome in ("failed", "unreadable") else 2,
            run.name,
        ),
    )
    for run in ordered[:MOST_LINES]:
        causes = (
            "<br>".join(to_code_span(sentence) for sentence in run.chain[:3])
            if run.outcome in ("failed", "unreadable")
            else run.outcome
        )
        size = f"{to_code_span(run.replay.name)}, {run.replay.stat().st_size / 1000:.0f} kB" if run.replay else "none"
        lines.append(f"| {to_code_span(run.name)} | {causes or run.outcome} | {size} |")
    if len(ordered) > MOST_LINES:
        lines += ["", f"{len(ordered) - MOST_LINES} more are in the artefact."]
    return "\n".join(lines) + "\n"


def to_code_span(text: str) -> str:
    """Return a text from a page or test as a Markdown code span on one line, so that none of it is read as markup."""
    plain = " ".join(text.split())[:300].replace("`", "'").replace("|", "\\|")
    return f"`{plain}`" if plain else ""


def main(arguments: list[str]) -> int:
    """Build all replays and write the summary. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=Path("replays"))
    parser.add_argument("--redaction", default="vendor")
    parser.add_argument("--summary", type=Path, help="a file to which the summary is appended")
    parser.add_argument(
        "--command", default="pagereel", help="how pagereel is called: a program, or words with spaces between"
    )
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    command = [options.command] if shutil.which(options.command) else options.command.split()
    taken = set[str]()
    runs = [
        build_replay(command, each, make_run_name(each, options.folder), options.output, options.redaction, taken)
        for each in iter_recordings(options.folder)
    ]
    told = render_summary(runs)
    if options.summary:
        with options.summary.open("a", encoding="utf-8") as file:
            file.write(told)
    else:
        print(told, file=sys.stderr)
    built = [run.replay for run in runs if run.replay]
    print(f"count={len(built)}\nfailed={sum(run.outcome == 'failed' for run in runs)}")
    if len(built) == 1:
        print(f"only={built[0]}")
    return 2 if runs and not built else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
