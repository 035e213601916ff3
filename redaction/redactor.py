"""Reel in, masked reel out: collect, freeze, rewrite, check the digests, replace the file in one step."""

from __future__ import annotations

import os
import secrets
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

from pagereel.errors import GateError, ReelError, UsageError
from pagereel.options import renamed
from pagereel.reel import Event, Keys, PageModel, Reel, ReelWriter, keys_of, open_reel

from .content.addresses import lost
from .content.pads import Unsaid
from .content.resources import Resources
from .content.runs import split_nodes
from .contracts.policy import Policy, load_policy
from .detect import presidio, rampart
from .detect.recognizers import Recognizers
from .gate.gate import NOTHING_WRITTEN, Gate, search
from .gate.leftout import ON_LEAK, leave_out
from .passes.collect import Collector, Knowledge
from .passes.rewrite import Rewriter
from .passes.walk import Walk, kinds_dropped
from .pictures.boxes import Boxes
from .report import RedactionReport
from .review import followed
from .values.pseudonyms import Pseudonyms
from .values.values import KnownValues
from .vault.vault import write_vault

Progress = Callable[[str, int, int], None]
"""Called with the name of the pass, how much of it is done, and how much there is."""


def redact_reel(
    source: str | os.PathLike[str],
    destination: str | os.PathLike[str],
    policy: Policy | str | os.PathLike[str],
    progress: Progress | None,
    gate: bool = True,
    vault: str | os.PathLike[str] | None = None,
    vault_key: Keys | None = None,
    title: str | None = None,
    on_leak: str = "fail",
) -> RedactionReport:
    """See :func:`pagereel.redaction.redact`."""
    started = time.monotonic()
    rules = load_policy(policy)
    target = Path(destination)
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist; create it or choose another destination.")
    if on_leak not in ON_LEAK:
        raise UsageError(f"on_leak={on_leak!r} is none of {', '.join(ON_LEAK)}.")
    if vault is not None and not keys_of(vault_key):
        raise UsageError("A vault needs a key: give vault_key, a passphrase or a public key to encrypt it to.")
    if vault is not None and Path(vault).exists():
        raise UsageError(f"{vault} is there already, and a vault is never overwritten: name another file.")
    with open_reel(source) as reel:
        if vault is not None and any(event.get("k") == "redaction" for event in reel.events()):
            raise UsageError(f"{source} is masked already: a vault is made from the raw recording.")
        header = reel.header if title is None else {**reel.header, "title": title}
        knowledge, resources, placed = _collect(reel, header, rules, progress)
        pseudonyms = Pseudonyms()
        pseudonyms.allowed = knowledge.values.allowed
        pseudonyms.allowed_entities = knowledge.values.allowed_entities
        pseudonyms.names = rules.stand_ins == "names"
        pseudonyms.used = knowledge.words
        pseudonyms.know(knowledge.values)
        rewriter = Rewriter(knowledge, rules, pseudonyms, resources.new_hash)
        rewriter.split = split_nodes(reel.timeline(), rewriter.finds)
        resources.sink = rewriter
        masks = followed()
        rewriter.seen = masks.add if masks is not None else None
        report = RedactionReport(
            rules.name, knowledge.values, structural=knowledge.values.structural, split=len(rewriter.split)
        )
        report.vault = secrets.token_hex(16) if vault is not None else None
        report.models = [presidio.load_analyzer()[1].name]
        if rampart.load_rampart() is None:
            report.notes.append(
                "The Rampart model is not installed: names in lower case and addresses are found less often."
            )
        else:
            report.models.append("rampart")
        report.models += Recognizers.of(rules).names
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
        try:
            boxes = Boxes(rules, placed, resources.shown)
            _write(
                reel,
                header,
                temporary,
                Walk(rewriter, rules),
                resources,
                report,
                rewriter,
                boxes,
                progress,
                on_leak,
                rules,
            )
            report.lost = lost(rewriter.addresses(), resources.drawn(), resources.bases)
            if gate:
                result = search(temporary, report.known)
                if not result.clean:
                    raise GateError(result.sentence(NOTHING_WRITTEN, "the masked recording"))
            if vault is not None and report.vault is not None and vault_key is not None:
                write_vault(Path(vault), report.vault, reel, temporary, pseudonyms.given(), vault_key)
            report.seconds = time.monotonic() - started
            os.replace(temporary, target)
        finally:
            with suppress(OSError):
                temporary.unlink()
    return report


def known_values(
    source: str | os.PathLike[str],
    redaction: Policy | str | os.PathLike[str] = "vendor",
    *,
    progress: Progress | None = None,
    policy: Policy | str | os.PathLike[str] | None = None,
) -> KnownValues:
    """Return the values that a redaction of this recording masks, for a gate on files that were made elsewhere.

    Raises what :func:`pagereel.redaction.redact` raises; ReelError as well for a reel that is masked already.
    """
    if policy is not None:
        renamed("known_values(policy=…)", "redaction")
        redaction = policy
    rules = load_policy(redaction)
    with open_reel(source) as reel:
        if any(event.get("k") == "redaction" for event in reel.events()):
            raise ReelError(f"{source} is masked: the values are not in it; give the raw recording.")
        return _collect(reel, reel.header, rules, progress)[0].values


def _collect(
    reel: Reel, header: Event, policy: Policy, progress: Progress | None
) -> tuple[Knowledge, Resources, list[Event]]:
    collector = Collector(policy)
    walk = Walk(collector, policy)
    resources = Resources(policy)
    types: dict[str, str] = {}
    asked: dict[str, str] = {}
    placed: list[Event] = []
    walk.event(header)
    for event in reel.timeline():
        if event.get("k") == "resource":
            resources.add(event)
        elif event.get("k") == "places":
            placed.append(event)
        elif event.get("k") not in ("reel", "frame"):
            walk.event(event)
            _note_types(event, types)
            if event.get("k") == "document" and isinstance(event.get("url"), str):
                resources.bases.append(cast(str, event["url"]))
            if event.get("k") == "request":
                asked[str(event.get("id"))] = str(event.get("url"))
            if event.get("k") in ("response", "alias") and isinstance(event.get("body"), str):
                url = str(event.get("url") or asked.get(str(event.get("id")))).partition("#")[0]
                resources.named.setdefault(url, set()).add(cast(str, event["body"]))
    resources.usages = collector.usages()
    resources.types = types
    resources.collect(collector)
    knowledge = collector.freeze((lambda done, total: progress("detect", done, total)) if progress else None)
    return knowledge, resources, placed


def _note_types(event: Event, types: dict[str, str]) -> None:
    """Note that a body has the type, and its text the charset, that its header says."""
    body = event.get("post") or (event.get("body") if event.get("k") == "response" else None)
    headers = event.get("headers")
    if isinstance(body, str) and isinstance(headers, dict):
        types[body] = next((str(v) for k, v in headers.items() if k.lower() == "content-type"), "")


def _write(
    reel: Reel,
    header: Event,
    path: Path,
    walk: Walk,
    resources: Resources,
    report: RedactionReport,
    rewriter: Rewriter,
    boxes: Boxes,
    progress: Progress | None,
    on_leak: str,
    policy: Policy,
) -> None:
    plain = {k: v for k, v in (walk.event(header) or {}).items() if k not in ("k", "t", "format")}
    masked: list[Event] = []
    dropped: Counter[str] = Counter()
    written: set[str] = set()
    fewer: Counter[int] = Counter()
    total = 0
    masks = followed()
    unsaid = Unsaid(reel) if policy.form_values == "mask" else None
    for event in reel.timeline():
        total += 1
        kind = event.get("k")
        if kind in ("reel", "frame", "end", "redaction", "places"):
            continue
        if kind == "resource":
            done = resources.rewritten(str(event.get("sha256")))
            if done is not None and done[0] not in written:
                written.add(done[0])
                masked.append(done[1])
            continue
        if masks is not None:
            masks.at = float(cast(float, event.get("t") or 0))
        left = event if unsaid is None else unsaid.event(event)
        out = None if left is None else walk.event(left)
        if out is None:
            dropped[str(kinds_dropped(event) or kind)[:40]] += 1
            fewer[cast(int, event.get("d", 0))] += "n" in event
        else:
            if "n" in out:  # what was left out leaves no hole: a hole would say that messages were lost
                out["n"] = cast(int, out["n"]) - fewer[cast(int, out.get("d", 0))]
            picture = boxes.paint(event, resources.event(str(event.get("body")))) if kind == "screenshot" else None
            if picture is not None:
                out["body"] = picture["sha256"]
                if picture["sha256"] not in written:
                    written.add(str(picture["sha256"]))
                    masked.append(picture)
            masked.append(out)
        boxes.take(event, out)
        if progress and total % 500 == 0:
            progress("rewrite", total, total)
    leaks = leave_out(masked, Gate(report.known)) if on_leak == "drop" else {}
    report.checkpoints = _renew_checkpoints(masked)
    for (channel, entity), count in rewriter.counts.items():
        report.channels.setdefault(channel, {})[entity] = count
    report.dropped = {
        **{f"event {k}": n for k, n in dropped.items()},
        **{f"resource {k}": n for k, n in resources.dropped.items()},
        **leaks,
    }
    if not reel.sealed:
        report.notes.append("The recording was not closed; what came before its end was redacted.")
    with ReelWriter(path, plain) as writer:
        writer.write({"k": "redaction", "t": 0, "policy": report.policy, "report": report.to_json()})
        for event in masked:
            writer.write(event)
        writer.close(_reason(reel))


def _reason(reel: Reel) -> str:
    for event in reel.events():
        if event.get("k") == "end":
            return str(event.get("reason") or "closed")
    return "unsealed"


def _renew_checkpoints(events: list[Event]) -> int:
    """Return the digests of the masked documents, as the page model gives them. ``equal`` stays: it says whether the recording
    was right, and the masks change nothing about that.
    """
    model = PageModel()
    count = 0
    for event in events:
        model.apply(event)
        if event.get("k") == "checkpoint":
            document = model.documents.get(cast(int, event.get("d")))
            if document is not None:
                event["digest"], event["nodes"] = document.digest()
                count += 1
    return count
