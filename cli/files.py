"""The commands that make one file from another: build, redact, events, show."""

from __future__ import annotations

import json as jsonlib
import math
import re
import zipfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from pagereel.cli.console import bytes_text, print_json, print_lines, print_report, print_written, progress, say, warn
from pagereel.errors import BuildError, UsageError
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
    """Build the replay, and print its path, its size, its fidelity and what was left out. Times in ms, `max_size` in
    bytes.

    `check` opens and compares the replay; return 1 if it differs.
    """
    reels = reel if isinstance(reel, list) else [reel]
    html = html or reels[0].with_suffix(".zip" if zipped else ".html")
    policy = policy_or_none(redaction)
    for each in reels:
        check_readable(each)
        check_destination(html, each)
    check_free(html, force=force, replay=True)
    begin, until = (moment_of(reels, text, is_end=is_end) for text, is_end in ((start, False), (end, True)))
    if begin is not None and not begin >= 0:
        raise UsageError(f"--from must be at least 0 (ms after the recording's beginning), not {begin:,.0f}.")
    lock = vault_lock(vault, vault_key, policy)
    from pagereel.browser import launch_options
    from pagereel.player_build import build
    from pagereel.sources import source_of

    launch = launch_options() if check else None
    with progress(f"Building {html.name}") as advance:
        report = build(
            reel, html, redaction=policy, title=title, theme=theme, start=begin, end=until, clip=clip, max_size=max_size, zip=zipped,
            compact=compact, vault=vault, vault_key=lock, check=check, launch=launch, on_leak=on_leak, progress=lambda part: advance(part, 1),
        )  # fmt: skip
    # Of a whole reel there is nothing to say; other tools' files may be sealed, and read in part.
    told_cut = [
        sentence for each in reels if not report.sealed or source_of(each) is not None for sentence in say_cut(each)
    ]
    size = html.stat().st_size
    lost: dict[str, str] = report.redaction.lost if report.redaction is not None else {}
    left = {kind: {"count": out.count, "bytes": out.bytes} for kind, out in report.left_out.items()}
    if json:
        kept = {"vault": str(vault)} if vault else {}
        told: dict[str, Any] = {
            "fidelity": report.fidelity.to_json(),
            "notes": [*report.notes, *(report.redaction.notes if report.redaction is not None else ())],
            "missing": report.missing,
            "lost": sorted(lost),
            "without": report.redaction.without if report.redaction is not None else [],
        }
        if told_cut:
            told["damage"] = told_cut
        if report.same_page is not None:
            told["same_page"] = report.same_page.to_json()
        if check:
            told["differences"] = [each.to_json() for each in report.differences]
        about = {"html": str(html), "title": report.title, "bytes": size, "redaction": policy}
        print_json({**about, "left_out": left, **told, **kept})
    else:
        for difference in report.differences:
            print(f"{html}: {difference}")
        for other in report.same_page.differences if report.same_page is not None else ():
            print(f"{html}: {other}")
        print_written(html)
        print_report(f"  {report.fidelity.checked}")
        print_report(f"  fidelity: {report.fidelity}")
        if report.redaction is not None:
            print_report(f"  {report.same_page or 'same page as the raw recording: not checked (--check)'}")
        for note in report.notes:
            print_report(f"  {note}")
        for url in [url for url in report.missing if url not in lost.values()][:_MISSING]:
            print_report(f"  without bytes: {url}")
        for url in sorted(lost)[:_MISSING]:
            print_report(
                f"  lost by masking: {url} (a policy's rule can allow what was masked in it; see docs/redaction.md)"
            )
        for kind, out in report.left_out.items():
            print_report(f"  left out: {kind}, {out.count} of them, {bytes_text(out.bytes)}")
        _print_masking(report.redaction, counts=True)
        if vault is not None:
            print_written(vault, f"the originals, encrypted to {lock.name}")
        if policy is None:
            earlier = masked_before(reels[0]) if len(reels) == 1 else None
            say(
                "This replay is NOT redacted: it shows everything that was recorded."
                if earlier is None
                else f"This replay shows all that the file holds, which was redacted with the policy {earlier} before."
            )
    short = report.fidelity.verdict == "short" or not (report.same_page is None or report.same_page.holds)
    return 1 if check and short else 0


def ms_of(text: str | None) -> float | None:
    """Return a time in ms from the command line. Raises UsageError for anything but a number."""
    if text is None:
        return None
    try:
        ms = float(text)
    except ValueError:
        raise UsageError(f"{text!r} is no time: give ms; of one recording also step:N or mark:NAME.") from None
    if not math.isfinite(ms):
        raise UsageError(f"{text!r} is no time: give a number of milliseconds.")
    return ms


def moment_of(reels: list[Path], text: str | None, *, is_end: bool) -> float | None:
    """Return the time (ms) that ``step:N`` or ``mark:NAME`` names; of a step its beginning, or its end where the part ends."""
    kind, colon, name = (text or "").partition(":")
    if not colon or kind not in ("step", "mark") or len(reels) > 1:
        return ms_of(text)
    from pagereel.reading import open_recording

    recording = open_recording(reels[0])
    try:
        if kind == "mark":
            return recording.moment(name)
        until = recording.moment(f"step {name}")
    except LookupError as error:
        raise UsageError(f"{reels[0]} has no {kind} {name!r}: {error}.") from None
    return until if is_end else next(float(step["t"]) for step in recording.steps() if str(step["number"]) == name)


def masked_before(source: Path) -> str | None:
    """Return the policy with which a recording was masked before; None for an unmasked one."""
    from pagereel.sources import open_any

    with open_any(source) as recording:
        return next((str(event.get("policy")) for event in recording.events(("redaction",))), None)


def say_cut(source: Path) -> list[str]:
    """Print, for people, what of a recording could not be read, or was read by guess. Return these sentences; empty
    for a complete recording.
    """
    from pagereel.sources import open_any

    with open_any(source) as recording:
        return say_unread(source, recording.warnings, recording.closed, recording.damage)


def say_unread(source: Path, warnings: Iterable[str], sealed: bool, damage: Any) -> list[str]:
    """Print the sentences of :func:`say_cut` for a recording that is already open, and return them."""
    told = [*warnings]
    if damage is not None or not sealed:
        told.append(f"{source} is {state_text(sealed, damage)}.")
    for sentence in told:
        warn(sentence)
    return told


def masked_text(values: int, places: int) -> str:
    """Return how much was masked. `values`: those that are searched for everywhere; short and common ones are masked where they stand."""
    return f"{values:,} values replaced in {places:,} places" if values else f"{places:,} places masked"


def _print_masking(report: Any, *, counts: bool = False) -> None:
    """Print how much the redaction replaced, its remarks, and what was left out because it contained a known value."""
    if report is not None and counts:
        told = report.to_json()
        print_report(f"  redaction: {report.policy}, {masked_text(told['values'], report.total)}")
    for note in report.notes if report is not None else ():
        print_report(f"  {note}")
    for what, count in sorted(report.dropped.items()) if report is not None else ():
        if what.startswith("leak "):
            print_report(f"  left out by the gate: {what.removeprefix('leak ')}, {count} of them")


_MISSING = 10
"""Largest number of addresses that are printed; ``--json`` has all."""


_SIZES = {"": 1, "b": 1, "kb": 1000, "mb": 1000**2, "gb": 1000**3, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}


def bytes_of(text: str) -> int:
    """Return a size in bytes: ``10MB``, ``1.5 MiB``, ``500000``."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in _SIZES:
        raise UsageError(f"{text!r} is no size; write 10MB, 500kB or a number of bytes.")
    return int(float(match[1]) * _SIZES[match[2]])


def vault_lock(vault: Path | None, key_file: Path | None, policy: str | None) -> Any:
    """Return the key for `--vault`; None without it. Raises UsageError before any work is done."""
    if vault is None:
        if key_file is not None:
            raise UsageError("--vault-key belongs to --vault FILE.")
        return None
    if policy is None:
        raise UsageError("A vault leads back from what was masked; with --redaction off nothing is.")
    if vault.exists():
        raise UsageError(f"{vault} is there already, and a vault is never overwritten: name another file.")
    if not vault.parent.is_dir():
        raise UsageError(f"There is no folder {vault.parent} to write {vault.name} in.")
    from pagereel.cli.keys import key_to_lock

    return key_to_lock(key_file, f"the vault {vault}")


def redact_reel(
    reel: Path,
    destination: Path,
    redaction: str,
    *,
    vault: Path | None = None,
    vault_key: Path | None = None,
    on_leak: OnLeak = "fail",
    force: bool = False,
    json: bool,
) -> int:
    """Write the masked recording and print how much was masked."""
    check_readable(reel)
    check_destination(destination, reel)
    check_free(destination, force=force)
    from pagereel.redaction import load_policy, redact

    load_policy(redaction)
    say_weaker()
    lock = vault_lock(vault, vault_key, redaction)
    with progress(f"Redacting {reel.name}") as advance:
        report = redact(
            reel, destination, redaction, progress=lambda _name, done, total: advance(done, total), vault=vault,
            vault_key=lock, on_leak=on_leak,
        )  # fmt: skip
    size = destination.stat().st_size
    facts = report.to_json()
    if json:
        print_json({"reel": str(destination), "bytes": size, "report": facts})
        return 0
    print_written(destination, f"{report.total:,} places masked")
    for entity, count in report.entities.items():
        print_report(f"  {entity:<20} {count:>7,}")
    _print_masking(report)
    if vault is not None:
        print_written(vault, f"the originals, encrypted to {lock.name}")
    return 0


def print_events(
    reel: Path,
    *,
    kinds: Collection[str],
    start: float | None,
    end: float | None,
    ids: bool = False,
    event: str | None = None,
    redaction: str = "off",
) -> int:
    """Print the events that pass the filters as NDJSON, masked if a policy is named. The header has no time and counts as 0 ms.

    `ids`: add each event's id as the field `e`. `event`: print only the event whose id begins with it. Raises
    UsageError where there is none.
    """
    check_readable(reel)
    from pagereel.reel import KINDS, EventIds, Reel, id_prefix
    from pagereel.sources import open_any

    unknown = set(kinds) - set(KINDS)
    first, last = -math.inf if start is None else start, math.inf if end is None else end

    def lines(recording: Reel) -> Iterator[str]:
        names = EventIds(recording.header)
        found = False
        for one in recording.timeline():
            name = names.of(one) if ids or wanted else ""
            time = one.get("t", 0)
            if kinds and one["k"] not in kinds:
                continue
            if isinstance(time, int | float) and not first <= time <= last:
                continue
            if not name.startswith(wanted):
                continue
            found = True
            shown = {"k": one["k"], "e": name, **one} if ids else one
            yield jsonlib.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        if wanted and not found:
            raise UsageError(f"{reel} has no event {event}.")

    wanted = "" if event is None else id_prefix(event)
    from pagereel.integrations import shared

    with shared(reel, policy_or_none(redaction)) as shown, open_any(shown.path) as recording:
        if unknown:  # unknown to this pagereel; a later version may have written it
            unknown -= {str(event["k"]) for event in recording.timeline()}
        if unknown:
            names = ", ".join(repr(kind) for kind in sorted(unknown))
            raise UsageError(f"There is no kind of event {names}; there are {', '.join(sorted(KINDS))}.")
        print_lines(lines(recording))
        damage, closed = recording.damage, recording.closed
    if damage is not None:
        warn(f"pagereel: {reel} is damaged ({damage_text(damage)}); these are the events before that.")
    elif not closed:
        warn(f"pagereel: {reel} was cut off; these are the events before the cut.")
    return 0


def show_replay(file: Path, redaction: str, *, opening: bool) -> int:
    """Open a replay in the system's browser; a recording is built first."""
    check_readable(file)
    html = file
    if file.suffix.lower() in {".html", ".htm"}:
        replay_policy(file)
    else:
        html = file.with_suffix(".html")
        if not _is_replay_of(html, file, redaction):
            build_replay(file, html, redaction, json=False)
    address = html.resolve().as_uri()
    print(address)
    if opening:
        import webbrowser

        if not webbrowser.open(address):
            raise UsageError(f"No browser could be opened here; open {html} yourself.")
    return 0


def _is_replay_of(html: Path, reel: Path, redaction: str) -> bool:
    """Return whether `html` is newer than the recording and redacted as asked. Raises UsageError when it is no replay."""
    wanted = policy_or_none(redaction)
    if not html.exists():
        return False
    from pagereel.redaction import POLICIES

    found = replay_policy(html, f"; build one under another name: pagereel build {reel} OTHER.html")
    if wanted is not None and wanted not in POLICIES:
        return False  # The policy file may have changed since the replay was built.
    return found == wanted and html.stat().st_mtime >= reel.stat().st_mtime


def policy_or_none(redaction: str) -> str | None:
    """Return the policy for `build()`: None for `off`. Raises PolicyError for an unknown one."""
    if redaction == "off":
        return None
    from pagereel.redaction import load_policy

    load_policy(redaction)
    say_weaker()
    return redaction


def say_weaker() -> None:
    """Print which models are missing for the redaction; nothing if all are installed."""
    from pagereel.redaction import missing_models, weaker

    if sentence := weaker(missing_models()):
        warn(sentence)


def check_readable(path: Path, *, pipe: bool = False) -> None:
    """Raise UsageError with a suitable sentence when there is no file to read. `pipe`: a pipe is accepted as well."""
    if "#test=" in path.name:
        from pagereel.sources import split_test

        path, _ = split_test(path)
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name the file in it.")
    if not path.exists():
        raise UsageError(f"There is no file {path}.")
    if not (path.is_file() or (pipe and path.is_fifo())):
        raise UsageError(f"{path} is not a file; name a file to read.")


def replay_policy(path: Path, advice: str = ".") -> str | None:
    """Return the policy with which a replay was redacted; None: it was not. Raises UsageError for a file that is no
    replay.
    """
    from pagereel.player_build import policy_of

    check_readable(path)
    try:
        return policy_of(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except BuildError:
        raise UsageError(f"{path} is no replay that pagereel built{advice}") from None


def check_free(path: Path, *, force: bool, replay: bool = False) -> None:
    """Raise UsageError when a file exists that must not be replaced.

    `replay`: a replay is written, which may replace another replay. A device is not replaced.
    """
    if not path.is_file() or force or (replay and _is_replay(path)):
        return
    raise UsageError(f"{path} is there already; name another file, or add --force.")


def _is_replay(path: Path) -> bool:
    """Return whether pagereel built this file, an HTML or a ZIP archive of one."""
    from pagereel.player_build import policy_of

    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                policy_of(archive.read(archive.namelist()[0]))
        else:
            policy_of(path.read_bytes())
    except (BuildError, OSError, IndexError, zipfile.BadZipFile, RuntimeError, NotImplementedError):
        return False
    return True


def check_destination(path: Path, source: Path | None = None, *, device: bool = False) -> None:
    """Raise UsageError when `path` cannot be written, before any work is done. `device`: it need not be a regular
    file.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name the file to write in it.")
    if path.exists() and not path.is_file() and not device:
        # The finished file is renamed to this path, which would replace a device.
        raise UsageError(f"{path} is not a file; name a file to write.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent} to write {path.name} in.")
    if source is not None and path.exists() and path.samefile(source):
        raise UsageError(f"{path} is the recording itself; name another file to write.")


def as_plain(value: object) -> Any:
    """Return a report as plain JSON values, whatever its type."""
    import msgspec

    return msgspec.to_builtins(value, enc_hook=str)


def damage_text(damage: Any) -> str:
    """Return a damage as text: `frame 12 at byte 40213: the hash of the frame before differs`."""
    return str(damage)


def state_text(sealed: bool, damage: Any) -> str:
    """Return a recording's state as text, with its meaning: `complete recording`, `unsealed…` or `damaged…`."""
    if damage is not None:
        at = "at " if damage.frame >= 0 else ""
        return f"damaged {at}{'' if at else '('}{damage_text(damage)}{'' if at else ')'}; everything before that plays"
    return "complete recording" if sealed else "unsealed: the recording was cut off; everything before the cut plays"


def damage_json(damage: Any) -> dict[str, Any] | None:
    """Return a damage as JSON: `frame`, `offset` in bytes, `reason`; None when there is none."""
    if damage is not None and damage.frame < 0:
        return {"reason": damage.reason}
    return damage and {"frame": damage.frame, "offset": damage.offset, "reason": damage.reason}
