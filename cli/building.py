"""`pagereel build` and `pagereel show`: build a replay, print its properties, and open it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagereel.cli.argument_requirements import (
    parse_redaction_option,
    read_replay_policy,
    require_no_existing_file,
    require_readable_file,
    require_writable_destination,
)
from pagereel.cli.argument_values import parse_moment
from pagereel.cli.console import (
    format_size,
    print_json,
    print_message,
    print_report_line,
    print_written_file,
    show_progress,
)
from pagereel.cli.recording_state import print_unread_parts, read_masking_policy
from pagereel.cli.redacting import get_vault_key, print_masking_report
from pagereel.errors import UsageError
from pagereel.options import OnLeak, Theme


def build_replay(
    reel: Path | list[Path],
    html: Path | None,
    redaction: str,
    *,
    title: str | None = None,
    theme: Theme = "auto",
    start: str | None = None,
    end: str | None = None,
    clip: bool = False,
    max_size: int | None = None,
    zipped: bool = False,
    compact: bool = False,
    vault: Path | None = None,
    vault_key: Path | None = None,
    check: bool = False,
    on_leak: OnLeak = "fail",
    force: bool = False,
    json: bool,
) -> int:
    """Build a replay of the recording `reel`, or of several that become one, and print its path, size, fidelity and
    omissions.

    `start` and `end`: ms, ``step:N`` or ``mark:NAME``; `max_size` in bytes. With `check` the replay is opened and
    compared with the recording. Return 1 if they differ.
    """
    reels = reel if isinstance(reel, list) else [reel]
    html = html or reels[0].with_suffix(".zip" if zipped else ".html")
    policy = parse_redaction_option(redaction)
    for each in reels:
        require_readable_file(each)
        require_writable_destination(html, each)
    require_no_existing_file(html, force=force, writes_replay=True)
    begin, until = (parse_moment(reels, text, is_end=is_end) for text, is_end in ((start, False), (end, True)))
    if begin is not None and not begin >= 0:
        raise UsageError(f"--from must be at least 0 (ms after the recording's beginning), not {begin:,.0f}.")
    lock = get_vault_key(vault, vault_key, policy)
    from pagereel.browser import launch_options
    from pagereel.player_build import build
    from pagereel.sources import detect_source_format

    launch = launch_options() if check else None
    with show_progress(f"Building {html.name}") as advance:
        report = build(
            reel, html, redaction=policy, title=title, theme=theme, start=begin, end=until, clip=clip, max_size=max_size, zip=zipped,
            compact=compact, vault=vault, vault_key=lock, check=check, launch=launch, on_leak=on_leak, progress=lambda part: advance(part, 1),
        )  # fmt: skip
    # Of a whole reel there is nothing to say; other tools' files may be sealed, and read in part.
    told_cut = [
        sentence
        for each in reels
        if not report.sealed or detect_source_format(each) is not None
        for sentence in print_unread_parts(each)
    ]
    lost: dict[str, str] = report.redaction.lost if report.redaction is not None else {}
    left = {kind: {"count": out.count, "bytes": out.bytes} for kind, out in report.left_out.items()}
    if json:
        kept = {"vault": str(vault)} if vault else {}
        fields: dict[str, Any] = {
            "fidelity": report.fidelity.to_json(),
            "notes": [*report.notes, *(report.redaction.notes if report.redaction is not None else ())],
            "missing": report.missing,
            "lost": sorted(lost),
            "without": report.redaction.without if report.redaction is not None else [],
        }
        if told_cut:
            fields["damage"] = told_cut
        if report.same_page is not None:
            fields["same_page"] = report.same_page.to_json()
        if check:
            fields["differences"] = [each.to_json() for each in report.differences]
        about = {"html": str(html), "title": report.title, "bytes": html.stat().st_size, "redaction": policy}
        print_json({**about, "left_out": left, **fields, **kept})
    else:
        for difference in report.differences:
            print(f"{html}: {difference}")
        for other in report.same_page.differences if report.same_page is not None else ():
            print(f"{html}: {other}")
        print_written_file(html)
        print_report_line(f"  {report.fidelity.checks_summary}")
        print_report_line(f"  fidelity: {report.fidelity}")
        if report.redaction is not None:
            print_report_line(f"  {report.same_page or 'same page as the raw recording: not checked (--check)'}")
        for note in report.notes:
            print_report_line(f"  {note}")
        for url in [url for url in report.missing if url not in lost.values()][:_MISSING]:
            print_report_line(f"  without bytes: {url}")
        for url in sorted(lost)[:_MISSING]:
            print_report_line(
                f"  lost by masking: {url} (a policy's rule can allow what was masked in it; see docs/redaction.md)"
            )
        for kind, out in report.left_out.items():
            print_report_line(f"  left out: {kind}, {out.count} of them, {format_size(out.bytes)}")
        print_masking_report(report.redaction, counts=True)
        if vault is not None:
            print_written_file(vault, f"the originals, encrypted to {lock.name}")
        if policy is None:
            earlier = read_masking_policy(reels[0]) if len(reels) == 1 else None
            print_message(
                "This replay is NOT redacted: it shows everything that was recorded."
                if earlier is None
                else f"This replay shows all that the file holds, which was redacted with the policy {earlier} before."
            )
    short = report.fidelity.verdict == "short" or not (report.same_page is None or report.same_page.all_equal)
    return 1 if check and short else 0


_MISSING = 10
"""Largest number of addresses that are printed; ``--json`` has all."""


def open_replay(file: Path, redaction: str, *, opens_browser: bool) -> int:
    """Open a replay in the system's browser. For a recording, build the replay first."""
    require_readable_file(file)
    html = file
    if file.suffix.lower() in {".html", ".htm"}:
        read_replay_policy(file)
    else:
        html = file.with_suffix(".html")
        if not _is_current_replay(html, file, redaction):
            build_replay(file, html, redaction, json=False)
    address = html.resolve().as_uri()
    print(address)
    if opens_browser:
        import webbrowser

        if not webbrowser.open(address):
            raise UsageError(f"No browser could be opened; open it yourself: {html} yourself.")
    return 0


def _is_current_replay(html: Path, reel: Path, redaction: str) -> bool:
    """Return whether the replay `html` is newer than the recording and redacted with this policy.

    Raises UsageError if the file is no replay.
    """
    wanted = parse_redaction_option(redaction)
    if not html.exists():
        return False
    from pagereel.redaction import POLICIES

    found = read_replay_policy(html, f"; build one under another name: pagereel build {reel} OTHER.html")
    if wanted is not None and wanted not in POLICIES:
        return False  # The policy file may have changed since the replay was built.
    return found == wanted and html.stat().st_mtime >= reel.stat().st_mtime
