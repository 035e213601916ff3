"""`pagereel build` for several recordings or for remote ones, and `pagereel bundle`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pagereel.cli.argument_requirements import (
    parse_redaction_option,
    require_no_existing_file,
    require_writable_destination,
)
from pagereel.cli.console import (
    format_size,
    print_json,
    print_message,
    print_report_line,
    print_warning,
    print_written_file,
    show_progress,
)
from pagereel.cli.recording_state import read_masking_policy
from pagereel.cli.standard_streams import DASH
from pagereel.errors import PagereelError, UsageError
from pagereel.integrations import Job, build_many, bundle_suite, run_job
from pagereel.options import Theme
from pagereel.reel import remote_stores


def split_sources_and_target(files: Sequence[str], output: str | None) -> tuple[list[str], str | None]:
    """Split the arguments of `build` into the recordings and the replay to write; the replay is None if none is named.

    It is the last of two arguments unless that is a recording.
    """
    if (
        len(files) == 2
        and output is None
        and not files[1].endswith(".reel")
        and len(remote_stores.expand_pattern(files[0])) == 1
    ):
        return [files[0]], files[1]
    return list(files), None


def is_single_local_recording(files: Sequence[str]) -> bool:
    """Return whether the arguments of `build` name one recording on this disk, with or without the replay to write."""
    if any(remote_stores.is_url(name) for name in files) or len(files) > 2:
        return False
    sources, target = split_sources_and_target(files, None)
    return len(sources) == 1 and (target is not None or remote_stores.expand_pattern(sources[0]) == sources)


def is_joint_build(files: Sequence[str], output: str) -> bool:
    """Return whether several recordings are to become one replay: `output` names a file and not a folder."""
    return not _names_one_recording(files) and _names_a_file(output)


def is_output_for_one_recording(files: Sequence[str], output: str) -> bool:
    """Return whether `files` names one recording and `output` the file for its replay, not a folder."""
    return _names_one_recording(files) and (output == DASH or _names_a_file(output))


def _names_one_recording(files: Sequence[str]) -> bool:
    return len(files) == 1 and len(remote_stores.expand_pattern(files[0])) < 2


def _names_a_file(output: str) -> bool:
    return not Path(output).is_dir() and output.lower().endswith((".html", ".htm", ".zip"))


def build_several(
    files: Sequence[str],
    redaction: str,
    *,
    output: str | None,
    jobs: int,
    executor: str,
    force: bool,
    options: dict[str, Any],
    json: bool,
) -> int:
    """Build a replay of each recording, and print a line for each.

    Return 0, or the largest exit status of a failed build.
    """
    policy = parse_redaction_option(redaction)
    for name, option in (("title", "--title"), ("start", "--from"), ("end", "--to")):
        if options.get(name) is not None:
            raise UsageError(f"{option} works with one local recording; give only that one.")
    options = {name: value for name, value in options.items() if value not in (None, False)}
    sources, target = split_sources_and_target(files, output)
    with show_progress("Building") as advance:
        if target is not None:
            outcomes = [run_job(Job(sources[0], target, policy, options, force))]
        else:
            outcomes = build_many(
                sources, output, policy, jobs=jobs, executor=executor, force=force, progress=advance, **options
            )
    if json:
        print_json([asdict(outcome) for outcome in outcomes])
    else:
        for outcome in outcomes:
            if outcome.error is not None:
                print_warning(f"pagereel: {outcome.error}")
            elif outcome.status == "unchanged":
                print_report_line(f"{outcome.destination}  unchanged")
            else:
                print_report_line(f"{outcome.destination}  {format_size(outcome.bytes)}, {outcome.seconds:.1f} s")
        counts = {
            status: sum(outcome.status == status for outcome in outcomes) for status in ("built", "unchanged", "failed")
        }
        print_message(", ".join(f"{count} {status}" for status, count in counts.items() if count))
        if policy is None:
            print_message(_build_unredacted_warning(sources))
        elif any(Path(each.destination).stem != Path(each.source).stem for each in outcomes) and target is None:
            print_message(
                "Replays are named after the recordings' folders, which is not masked: rename those that name somebody."
            )
    return max((outcome.exit_status for outcome in outcomes), default=0)


def bundle_recordings(
    files: Sequence[str],
    redaction: str,
    *,
    junit: Path | None,
    previous: Path | None,
    title: str | None,
    theme: Theme,
    force: bool,
    json: bool,
) -> int:
    """Bundle recordings into one suite, whose path is the last of `files`. Print its path, its size, and how the tests
    ended.
    """
    *sources, target = files
    suite = Path(target)
    if not sources or suite.suffix.lower() not in (".html", ".htm"):
        raise UsageError(
            "Name the recordings and then the file to write: pagereel bundle 'test-results/**/*.reel' suite.html"
        )
    require_writable_destination(suite)
    require_no_existing_file(suite, force=force, writes_replay=True)
    policy = parse_redaction_option(redaction)
    with show_progress(f"Bundling {suite.name}") as advance:
        report = bundle_suite(
            sources,
            suite,
            policy,
            junit=junit,
            previous=previous,
            title=title,
            theme=theme,
            progress=lambda _, done, total: advance(done, total),
        )
    if json:
        print_json(
            {
                "html": str(suite), "bytes": report.size, "recordings": report.recordings, "outcomes": report.outcomes,
                "redaction": policy, "notes": report.notes,
            }
        )  # fmt: skip
        return 0
    print_written_file(suite, f"{report.recordings} recording{'' if report.recordings == 1 else 's'}")
    print_report_line(f"  {report.summary}")
    for note in report.notes:
        print_warning(note)
    if policy is None:
        print_message(
            "This file is NOT redacted, but for recordings that were redacted before: it shows everything that was recorded."
        )
    return 0


def _build_unredacted_warning(sources: Sequence[str]) -> str:
    """Return a warning for replays built without redaction.

    It gives the number of recordings that were redacted before.
    """
    here = [path for name in sources if not remote_stores.is_url(name) for path in remote_stores.expand_pattern(name)]
    earlier = sum(_is_masked(path) for path in here)
    if earlier and earlier == len(here) and not any(remote_stores.is_url(name) for name in sources):
        return "These replays show all that the files hold, which were redacted before."
    but = f", but for {earlier} whose recordings were redacted before" if earlier else ""
    return f"These replays are NOT redacted{but}: they show everything that was recorded."


def _is_masked(path: str) -> bool:
    try:
        return read_masking_policy(Path(path)) is not None
    except PagereelError:  # Its own line has the error.
        return False
