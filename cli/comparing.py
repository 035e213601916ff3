"""`pagereel compare`: prints the differences between two recordings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.cli.argument_requirements import (
    parse_redaction_option,
    require_no_existing_file,
    require_readable_file,
    require_writable_destination,
)
from pagereel.cli.console import format_json, print_lines, print_warning, print_written_file, show_progress
from pagereel.durations import format_duration
from pagereel.errors import UsageError

if TYPE_CHECKING:
    from pagereel.comparison import Comparison

FORMS = (".html", ".md", ".json")


def compare_recordings(
    a: Path,
    b: Path,
    *,
    baseline: list[str],
    fail_on: str | None,
    ignore: Path | None,
    hosts: list[str],
    output: Path | None,
    force: bool,
    redaction: str,
    json: bool,
) -> int:
    """Print the divergence and the differences of two recordings, and write them to `output`, if given. Return 1 if a
    kind in `fail_on` differs, or without `fail_on` if anything does.
    """
    for path in (a, b):
        require_readable_file(path)
    if output is not None:
        if output.suffix.lower() not in FORMS:
            raise UsageError(
                f"A comparison is written as {', '.join(FORMS[:-1])} or {FORMS[-1]}, not {output.suffix or 'without a suffix'!r}."
            )
        require_writable_destination(output, a)
        require_writable_destination(output, b)
        require_no_existing_file(output, force=force)
    from pagereel.comparison import compare, format_as_markdown

    with show_progress(f"Comparing {b.name}"):
        result = compare(
            a,
            b,
            baseline=baseline,
            ignore=ignore,
            hosts=_parse_host_mapping(hosts),
            redaction=parse_redaction_option(redaction),
        )
        failed = result.failed(fail_on)
        made = ""
        if output is not None and output.suffix.lower() == ".html":
            from pagereel.comparison import write_comparison

            # The page comes first, so that the printed text has the same stand-ins.
            write_comparison(result, output, a.name, b.name)
        if json or (output is not None and output.suffix.lower() == ".json"):
            made = result.check(format_json(result.to_json(fail_on)))
        if output is not None and output.suffix.lower() != ".html":
            text = made + "\n" if output.suffix.lower() == ".json" else result.check(format_as_markdown(result, a, b))
            try:
                output.write_text(text, "utf-8")
            except OSError as error:
                raise UsageError(f"{output} cannot be written: {error.strerror}.") from None
        lines = made.split("\n") if json else result.check("\n".join(_format_comparison(result))).split("\n")
    print_lines(lines)
    for note in result.notes:
        print_warning(note)
    if output is not None and not json:
        print_written_file(output)
    return 1 if failed else 0


def _parse_host_mapping(pairs: list[str]) -> dict[str, str]:
    found = {}
    for one in pairs:
        host, equals, other = one.partition("=")
        if not (host and equals and other) or "/" in one:
            raise UsageError(f"--map-host takes two hosts, for example staging.example=shop.example, not {one!r}.")
        found[host] = other
    return found


_SHOWN = 30


def _format_comparison(result: Comparison) -> list[str]:
    """Return the comparison as lines for people."""
    divergence = result.divergence
    if divergence is None:
        ignored = "1 difference is" if result.ignored == 1 else f"{result.ignored} differences are"
        also = f"; {ignored} usual, or left out by a rule" if result.ignored else ""
        return [f"equal: nothing differs beyond noise{also}"]
    where = f" in step “{divergence.b.title}”" if divergence.b.title else ""
    lines = [f"they part at {format_duration(divergence.b.t)}{where} ({divergence.kind}):"]
    lines += [f"  {sentence}" for sentence in divergence.chain]
    count = len(result.differences)
    lines += ["", f"{count} difference{'s' if count > 1 else ''}, with the ms at which each showed in A and in B:"]
    lines += [
        f"  {_format_run_time(each.at['a'])} {_format_run_time(each.at['b'])} {each.kind:<8} {'' if each.is_sure else 'perhaps: '}{each.said}"
        for each in result.differences[:_SHOWN]
    ]
    if len(result.differences) > _SHOWN:
        lines.append(f"  … and {len(result.differences) - _SHOWN} more (--json has all)")
    if result.ignored:
        lines.append(f"{result.ignored} more are usual, or left out by a rule")
    return lines


def _format_run_time(t: float | None) -> str:
    return f"{t:>8.0f}" if t is not None else f"{'–':>8}"
