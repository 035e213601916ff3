"""Writes docs/performance.md from the JSON files in which the benches left their figures."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path
from typing import Any

LIMIT = 0.25
METHOD = """\
Each figure is a ratio against a peer that ran on the same machine in the same minutes, or CPU time where there is no peer.

- **In the page**: every sample is a fresh page in one Chromium. It is prepared, a recorder is started (pagereel's injector in its
  isolated world, rrweb in the page's, or none), one workload runs in one task, and the page is left alone until nothing more is
  delivered. Measured is the CPU time of the main thread (CDP `Performance.getMetrics`, `TaskDuration`, time domain `threadTicks`),
  style, layout and garbage collection included; the same without a recorder is subtracted. The three take turns, forwards and
  backwards. Both recorders send through a raw CDP binding, 48 ms after the first event of a batch. The longest task (wall time, the
  browser's own `longtask` entries, so 0 means under 50 ms) is taken from pages without layout, in two parts: the workload's own task, in which a
  recorder's observer runs too, and the longest one after it, which is the recorder's alone.
- **Calls and Speedometer**: plain, pagereel and the peer take turns in one browser; the added time is taken against the plain run of the
  same round.
- **The whole product**: `record()` on the context, self-checks and all; CPU time of the page's main thread as the kernel counts it, until 2 s after the
  workload or the load, less the same without a recorder.
- **The player** and **eight hours**: wall time until a moment is painted, each player in a page of its own, by turns; one generator makes each session for both.
- **A test**: small tests of one application, recorded, and built by one process one after the other.
- **On disk**: the errand of `pagereel demo`, once for each recorder.
- **Building**: a made-up reel, built raw in a process of its own; CPU time, because the wall clock counts the neighbours too.
"""


def _read_figures(folder: Path, name: str) -> dict[str, Any] | None:
    """Return the figures of a bench, None where it left none."""
    try:
        found: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return found


def _describe_verdict(ratio: float, limit: float) -> str:
    """Return "met" where a ratio is within its limit, else "**not met**"."""
    return "met" if ratio <= limit else "**not met**"


def _format_task_ms(value: float | None) -> str:
    """Return the ms of a longest task as a table shows it; 0 means under 50 ms, None that none was measured."""
    return "–" if value is None else "< 50" if value == 0 else f"{value:.0f}"


def _make_page_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.page`: main-thread CPU that recording adds."""
    lines = [
        f"Main-thread CPU that recording adds, ms: median (least) of the rounds. Limit: {LIMIT} × rrweb.",
        "",
        "| workload | alone | pagereel | rrweb | ratio | | longest task, pagereel | rrweb | characters sent, × rrweb |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, row in found["workloads"].items():
        ours, theirs, ratio = row["pagereel"], row["rrweb"], row["ratio"]
        tasks = [
            f"{_format_task_ms(entry['workload_task'])}, {_format_task_ms(entry['longest_after'])}"
            for entry in (ours, theirs)
        ]
        lines.append(
            f"| {name} | {row['plain']:.0f} ± {row['plain_spread']:.0f} | {ours['task']['median']:.0f} ({ours['task']['least']:.0f})"
            f" | {theirs['task']['median']:.0f} ({theirs['task']['least']:.0f}) | {ratio['median']:.2f} ({ratio['least']:.2f})"
            f" | {_describe_verdict(ratio['median'], LIMIT)} | {tasks[0]} | {tasks[1]} | {ratio['size']:.2f} |"
        )
    checks = [f"{name} {row['pagereel']['check']:.0f}" for name, row in found["workloads"].items() if "check" in row["pagereel"]]  # fmt: skip
    if checks:
        lines += [
            "",
            "Not in the table: pagereel's self-check, which rrweb has no counterpart of. It runs in slices of 12 ms when the page has been"
            " idle for 600 ms, and at most a hundredth of the time; CPU ms of one: " + ", ".join(checks) + ".",
        ]
    rounds = min(row["rounds"] for row in found["workloads"].values())
    return [*lines, "", f"{rounds} rounds; Chromium {found['versions']['chromium']}, {found['versions']['rrweb']}."]


def _make_size_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.size`: bytes on disk."""
    lines = ["| | bytes |", "|---|---|"]
    for what, size in found["pagereel"].items():
        lines.append(f"| pagereel: {what} | {size:,} |")
    for what, size in found["rrweb"].items():
        lines.append(f"| rrweb: {what} | {size:,} |")
    traces = ("trace.zip with screenshots", "trace.zip without screenshots")
    lines += [f"| {name} | {found[name]:,} |" for name in traces]
    lines += _make_limit_table(found)
    for name, other in found.get("third party", {}).items():
        lines += ["", f"A session of 50 to 60 interactions with {name}:", *_make_limit_table(other)]
        lines += ["", f"Reel {other['pagereel']['reel']:,} bytes, rrweb's events deflated {other['rrweb']['deflated']:,}, trace.zip"
                  f" {other['trace.zip with screenshots']:,} and {other['trace.zip without screenshots']:,}."]  # fmt: skip
    return [*lines, "", f"Chromium {found['versions']['chromium']}, {found['versions']['rrweb']}, deflate level 6."]


def _make_limit_table(found: dict[str, Any]) -> list[str]:
    """Return a table of ratios with their limits."""
    lines = ["", "| ratio | | limit | |", "|---|---|---|---|"]
    for what, entry in found["ratios"].items():
        ratio, limit = entry["ratio"], entry["limit"]
        lines.append(f"| {what} | {ratio:.3f} | {limit} | {_describe_verdict(ratio, limit)} |")
    return lines


def _make_build_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.build`: time and memory of one large build."""
    return [
        f"{found['changes']:,} changes, {found['events'] / 1e6:.1f} MB of events ({found['reel'] / 1e6:.1f} MB as a reel,"
        f" {found['html'] / 1e6:.1f} MB of HTML):",
        "",
        "| | | limit | |",
        "|---|---|---|---|",
        f"| CPU, s | {found['cpu']:.1f} | 20 | {_describe_verdict(found['cpu'], 20)} |",
        f"| wall clock, s | {found['seconds']:.1f} | | |",
        f"| memory at most, MB | {found['megabytes']:.0f} | 600 | {_describe_verdict(found['megabytes'], 600)} |",
    ]


def _make_actions_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.actions`: ms that a Playwright call takes longer."""
    lines = [
        "Ms that a call takes longer than on a page that nobody records, median (90th percentile). Limit: 3 ms at each size.",
        "",
        "| rows on the page | plain | pagereel | tracing with snapshots | |",
        "|---|---|---|---|---|",
    ]
    for rows, row in found.items():
        cells = [f"{row[way]['median']:+.1f} ({row[way]['p90']:+.1f})" for way in ("pagereel", "tracing")]
        lines.append(
            f"| {int(rows):,} | {row['plain']:.1f} | {cells[0]} | {cells[1]} | {_describe_verdict(row['pagereel']['median'], 3)} |"
        )
    return lines


def _make_whole_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.whole`: main-thread CPU that the whole recorder adds."""
    quiet, workloads = found["quiet page"], found["workloads"]
    ours, theirs = quiet["pagereel"], quiet["rrweb"]
    idle = {way: 100 * (quiet[way]["idle"] - quiet["none"]["idle"]) for way in ("pagereel", "rrweb")}
    lines = [
        "Main-thread CPU that `record()` on the context adds, ms: median (least). Limits: 0.25 × rrweb, and no task of 50 ms or more after the workload's own.",
        "",
        "| workload | alone | pagereel | rrweb | ratio | | longest task after it | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in workloads.items():
        cells = [f"{row[way]['median']:.0f} ({row[way]['least']:.0f})" for way in ("pagereel", "rrweb")]
        ratio, longest = row["ratio"], row["longest"]
        lines.append(
            f"| {name} | {row['none']['median']:.0f} ± {row['none']['spread']:.0f} | {cells[0]} | {cells[1]} | {ratio['median']:.2f} ({ratio['least']:.2f})"
            f" | {_describe_verdict(ratio['median'], LIMIT)} | {_format_task_ms(longest)} | {_describe_verdict(longest, 50)} |"
        )
    return [
        *lines,
        "",
        f"A page of 100 elements that does nothing by itself ({quiet['loads']} loads of {quiet['alone']:.0f} ms each):",
        "",
        "| | pagereel | rrweb | limit | |",
        "|---|---|---|---|---|",
        f"| added to a load and the 2 s after it, ms, median (least) | {ours['median']:.1f} ({ours['least']:.1f}) | {theirs['median']:.1f}"
        f" ({theirs['least']:.1f}) | 5 | {_describe_verdict(ours['median'], 5)} |",
        f"| added while nothing happens, % of a core | {idle['pagereel']:.2f} | {idle['rrweb']:.2f} | 0.2 | {_describe_verdict(idle['pagereel'], 0.2)} |",
        "",
        f"{found['rounds']} rounds; Chromium {found['versions']['chromium']}, {found['versions']['rrweb']}.",
    ]


def _make_small_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.small`: costs of a test's recording after the test."""
    return [
        f"{found['tests']} small tests: a page with a form and a table, a word typed, a button pressed. Its recording has"
        f" {found['reel'] / 1000:.1f} kB, Playwright's trace of the same test {found['trace.zip'] / 1000:.0f} kB (medians).",
        "",
        "| | | limit | |",
        "|---|---|---|---|",
        f"| replay, kB | {found['replay'] / 1000:.1f} | 90 | {_describe_verdict(found['replay'], 90_000)} |",
        f"| redacted build of a further test, CPU s | {found['build']:.2f} | 0.3 | {_describe_verdict(found['build'], 0.3)} |",
        f"| of the first, which loads the models, CPU s | {found['first']:.2f} | | |",
        f"| replays an hour, two processes | {found['an hour']:,.0f} | 4,000 | {_describe_verdict(4_000, found['an hour'])} |",
        f"| injector, kB gzip | {found['injector'] / 1000:.1f} | 20 | {_describe_verdict(found['injector'], 20_000)} |",
    ]


def _compute_percentile(values: list[float], share: float) -> float:
    """Return the value below which this share of the values lies; infinity where there is none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("inf")


def _make_player_rows(found: dict[str, Any], first_frame_limit: float, seek_limits: dict[str, float]) -> list[str]:
    """Return the table of opening and seeking times by session, in ms.

    `first_frame_limit` is the limit of the first frame, `seek_limits` the limits of seeks by session; the demo is held against rrweb's own figures.
    """
    lines = [
        "| session | first frame, ms | rrweb | limit | | random seek, median and 95th percentile, ms | rrweb | limit | |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, ways in found["sessions"].items():
        ours, theirs = ways["pagereel"], ways.get("rrweb")
        opened = _compute_percentile(ours["first frame"], 0.5)
        seeks = {
            way: [_compute_percentile(figures["random"], share) for share in (0.5, 0.95)]
            for way, figures in ways.items()
        }
        peer = theirs is not None and name == "demo"
        limits = (
            (_compute_percentile(theirs["first frame"], 0.5), seeks["rrweb"][1])
            if theirs and peer
            else (first_frame_limit, seek_limits.get(name))
        )
        cells = (
            [f"{_compute_percentile(theirs['first frame'], 0.5):.0f}", "{:.0f}, {:.0f}".format(*seeks["rrweb"])]
            if theirs
            else ["", ""]
        )
        bound = (
            ["", ""] if limits[1] is None else [f"{limits[1]:.0f}", _describe_verdict(seeks["pagereel"][1], limits[1])]
        )
        lines.append(
            f"| {name} | {opened:.0f} | {cells[0]} | {limits[0]:.0f} | {_describe_verdict(opened, limits[0])}"
            f" | {seeks['pagereel'][0]:.0f}, {seeks['pagereel'][1]:.0f} | {cells[1]} | {bound[0]} | {bound[1]} |"
        )
    return [*lines, "", f"{found['browser']}; the first frame is the median of {len(ours['first frame'])} openings."]


def _make_player_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.player`: opening and seeking."""
    return _make_player_rows(found, 300, {"20,000 events": 50})


def _make_day_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.player` on a session of eight hours."""
    return _make_player_rows(found, 2_000, {"day": 100})


def _make_redaction_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.redaction`: time and memory of a session."""
    session = found["session"]
    wall, memory = session["redact"] + session["gate"], session["megabytes"]
    return [
        f"8,000 unique strings redacted, then the gate on {session['gate_bytes'] / 1e6:.0f} MB:",
        "",
        "| | | limit | |",
        "|---|---|---|---|",
        f"| wall, s | {wall:.1f} | 12 | {_describe_verdict(wall, 12)} |",
        f"| CPU, s | {session['cpu']:.1f} | | |",
        f"| memory at most, MB | {memory:.0f} | 900 | {_describe_verdict(memory, 900)} |",
    ]


def _make_speedometer_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.speedometer`: main-thread CPU of its suites."""
    lines = [
        "Main-thread CPU of a run of the suites, recorded by the whole recorder, against the same run without one. Limit: 1.05.",
        "",
        "| | main-thread CPU, ms: median (least, most) | × not recording (least) | score, median | sent or written |",
        "|---|---|---|---|---|",
    ]
    for way, runs in found["runs"].items():
        cpu = sorted(run["cpu"] for run in runs)
        score = sorted(run["score"] for run in runs)[len(runs) // 2]
        ratio = found["ratios"].get(way)
        against = f"{ratio['median']:.2f} ({ratio['least']:.2f})" if ratio else "1"
        lines.append(
            f"| {way} | {cpu[len(cpu) // 2]:,.0f} ({cpu[0]:,.0f}, {cpu[-1]:,.0f}) | {against} | {score:.2f} | {max(run['sent'] for run in runs):,} |"
        )
    suites = found["suites"] if isinstance(found["suites"], str) else ", ".join(found["suites"])
    verdict = _describe_verdict(found["ratios"]["pagereel"]["median"], 1.05)
    return [
        *lines,
        "",
        f"{verdict}; suites: {suites}; {len(found['runs']['none'])} rounds; {found['versions']['rrweb']}.",
    ]


def _make_soak_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.soak`: memory over time."""
    last = found["samples"][-1]
    return [
        f"{last['second'] / 60:.1f} minutes of a page that is ten times as busy as a day's: resident memory of the recording process"
        f" {found['early']:.0f} MB in the second fifth, {found['late']:.0f} MB in the last ({'flat' if found['flat'] else '**not flat**'}); the"
        f" writer's thread took {100 * last['writer_share']:.1f} % of a core, at most {last['queue'] / 1000:.0f} kB waited, {last['events']:,} events"
        f" in {last['reel'] / 1e6:.1f} MB, {last['gaps']} gaps; {found['checkpoints']}."
    ]


def _make_scale_section(found: dict[str, Any]) -> list[str]:
    """Return the section of `bench.scale`: recordings an hour."""
    session = found["sessions"]
    lines = [
        "The errand of the demo without its pauses, CPU seconds of the script, the driver and the browser, median (least): "
        + ", ".join(f"{way} {row['median']:.2f} ({row['least']:.2f})" for way, row in session["cpu"].items())
        + f". On the disk {session['reel'] / 1000:.0f} kB; with shared resources {session['shared: first'] / 1000:.0f} kB for the first"
        f" and {session['shared: each further'] / 1000:.0f} kB for each further one.",
        "",
        f"{found['copies']} copies of a recording of {found['duration'] / 1000:.0f} s ({found['reel'] / 1000:,.0f} kB):",
        "",
        "| | wall, s | CPU, s a recording | an hour |",
        "|---|---|---|---|",
    ]
    for way, row in found["ways"].items():
        lines.append(f"| {way} | {row['wall']:.1f} | {row['cpu'] / found['copies']:.2f} | {row['an hour']:,.0f} |")
    return lines


SECTIONS = {
    "page": ("In the page", _make_page_section),
    "whole": ("The whole product", _make_whole_section),
    "actions": ("Playwright's calls", _make_actions_section),
    "speedometer": ("Speedometer 3", _make_speedometer_section),
    "six": ("Six suites of Speedometer's main branch, twice over", _make_speedometer_section),
    "size": ("On disk", _make_size_section),
    "small": ("A test", _make_small_section),
    "build": ("Building", _make_build_section),
    "player": ("The player", _make_player_section),
    "day": ("Eight hours", _make_day_section),
    "redaction": ("Redaction of a session", _make_redaction_section),
    "soak": ("An hour in six minutes", _make_soak_section),
    "scale": ("Many recordings", _make_scale_section),
}
"""For each bench its title and what it says, in the order of the page."""


def make_performance_page(folder: Path, reasons: str) -> str:
    """Return the whole text of docs/performance.md; a bench without figures is named as not measured."""
    lines = [
        "# Performance",
        "",
        "Written by `python -m bench`. What follows the figures stands in bench/reasons.md.",
        "",
        METHOD,
    ]
    for name, (title, section) in SECTIONS.items():
        found = _read_figures(folder, name)
        lines += [
            f"## {title}",
            "",
            *(section(found) if found else [f"Not measured: run `python -m bench --only {name}`."]),
        ]
        load = folder / f"{name}.load"
        if found and load.exists():
            before, after = load.read_text().split()
            lines += ["", f"Load of the machine before and after: {before} and {after} on {os.cpu_count()} cores."]
        lines.append("")
    lines += [f"Measured on {platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}.", "", reasons]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"
