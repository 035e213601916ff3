"""Write a masked reel: run both passes, check the digests, search the result by the gate, and replace the destination in one step."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

from pagereel.errors import GateError, ReelError, UsageError
from pagereel.reel import Event, Keys, Reel, ReelWriter, keys_of
from pagereel.sources import open_any

from .content.site_addresses import lost
from .content.split_values import split_nodes
from .contracts.mask_log import active_masks
from .contracts.policy import Policy, load_policy
from .copies import Copies
from .detect import pool
from .detect.cues import dictionaries
from .detect.models import presidio, rampart
from .detect.recognizers import Recognizers
from .gate.gate import NOTHING_WRITTEN, Gate, read
from .gate.omission import ON_LEAK, Omitter
from .installed_models import demand_models, missing_models
from .passes.first_pass import Gathered, Progress, gather
from .passes.knowledge import Knowledge
from .passes.replacement_log import Observer
from .passes.rewriter import Rewriter
from .passes.second_pass import Digests, EventMasking
from .passes.spool import Spool
from .passes.walk import Walk
from .pictures.screenshot_boxes import ScreenshotBoxes
from .report import RedactionReport
from .values.known_values import KnownValues
from .values.pseudonyms import Pseudonyms
from .vault.vault import write_vault


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
    key: bytes | None = None,
) -> RedactionReport:
    """Write a masked copy: see :func:`pagereel.redaction.redact`.

    :param key: the key of the stand-ins; None: that of the cached copy, or a new one.
    """
    started = time.monotonic()
    rules = load_policy(policy)
    key = key or Copies(source, policy).key()
    if rules.require_models:
        demand_models()
    target = Path(destination)
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist; create it or choose another destination.")
    if on_leak not in ON_LEAK:
        raise UsageError(f"on_leak must be one of {', '.join(ON_LEAK)}, not {on_leak!r}.")
    if vault is not None and not keys_of(vault_key):
        raise UsageError("A vault needs a key: give vault_key, a passphrase or a public key to encrypt it to.")
    if vault is not None and Path(vault).exists():
        raise UsageError(f"{vault} exists already, and a vault is never overwritten; give another path.")
    with open_any(source) as reel:
        if vault is not None and any(event.get("k") == "redaction" for event in reel.events()):
            raise UsageError(f"{source} is masked already; give the raw recording to make a vault.")
        header = reel.header if title is None else {**reel.header, "title": title}
        found = gather(reel, header, rules, progress)
        pseudonyms = pseudonyms_for(found.knowledge, rules, key)
        report = write_masked(
            reel, header, rules, found, pseudonyms, target, progress, gate=gate, on_leak=on_leak,
            vault=None if vault is None or vault_key is None else (Path(vault), vault_key),
        )  # fmt: skip
    report.seconds = time.monotonic() - started
    return report


def write_masked(
    reel: Reel,
    header: Event,
    rules: Policy,
    found: Gathered,
    pseudonyms: Pseudonyms,
    target: Path,
    progress: Progress | None,
    *,
    number: int = 0,
    gate: bool = False,
    on_leak: str = "fail",
    vault: tuple[Path, Keys] | None = None,
) -> RedactionReport:
    """Write the masked copy of one recording, by the result of the first pass.

    :param number: the index of the recording, if several were read together.
    """
    rewriter = Rewriter(found.knowledge, rules, pseudonyms, found.resources.new_hash, number)
    rewriter.split = split_nodes(reel.timeline(), rewriter.finds)
    found.resources.sink = rewriter
    report = _report(rules, found.knowledge, split=len(rewriter.split))
    report.vault = secrets.token_hex(16) if vault is not None else None
    searched = Gate(report.known) if gate or on_leak == "drop" else None
    left_out = Omitter(searched) if searched is not None and on_leak == "drop" else None
    boxes = ScreenshotBoxes(rules, found.placed, found.resources.shown)
    masking = EventMasking(Walk(rewriter, rules), rules, found.resources, boxes)
    rewriter.log.observer = _mask_recorder(masking)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    try:
        with Spool(target.parent) as spool:
            head = masking.header(header)
            digests = Digests()
            events = masking.events(reel, progress)
            spool.fill(digests.events(events if left_out is None else left_out.events(events)))
            report.checkpoints = digests.count
            for (channel, entity), count in rewriter.log.counts.items():
                report.channels.setdefault(channel, {})[entity] = count
            report.dropped = {
                **{f"event {k}": n for k, n in masking.dropped.items()},
                **{f"resource {k}": n for k, n in found.resources.dropped.items()},
                **(left_out.gone if left_out is not None else {}),
            }
            if not reel.sealed:
                report.notes.append("The recording was not closed; what came before its end was redacted.")
            passed = f"{reel.invalid_count:,} of its events could not be read" if reel.invalid_count else ""
            if passed:
                report.notes.append(f"{passed} and are left out, the first: {reel.invalid[0].reason}.")
            with ReelWriter(temporary, head) as writer:
                writer.write({"k": "redaction", "t": 0, "policy": report.policy, "report": report.to_json()})
                if passed:
                    gap: Event = {
                        "k": "gap",
                        "t": 0,
                        "reason": "invalid",
                        "count": reel.invalid_count,
                        "detail": passed,
                    }
                    writer.write(gap)
                for event in spool.events():
                    writer.write(event)
                writer.close(reel.reason)
        report.lost = lost(rewriter.addresses(), found.resources.drawn(), found.resources.bases)
        if gate and searched is not None:
            result = searched.search(read(temporary))
            if not result.clean:
                raise GateError(result.sentence(NOTHING_WRITTEN, "the masked recording"))
        if vault is not None and report.vault is not None:
            write_vault(vault[0], report.vault, reel, temporary, pseudonyms.given(), vault[1])
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
) -> KnownValues:
    """Return the values that a redaction of this recording masks, for a gate on files that were made elsewhere.

    Raises what :func:`pagereel.redaction.redact` raises, and ReelError for a reel that is masked already.
    """
    rules = load_policy(redaction)
    with open_any(source) as reel:
        if any(event.get("k") == "redaction" for event in reel.events()):
            raise ReelError(f"{source} is masked, so the values are not in it; give the raw recording.")
        return gather(reel, reel.header, rules, progress).knowledge.values


def pseudonyms_for(knowledge: Knowledge, policy: Policy, key: bytes | None = None) -> Pseudonyms:
    """Return the maker of stand-ins for one redaction, with the given key or a new one."""
    pseudonyms = Pseudonyms(key)
    pseudonyms.allowed = knowledge.values.allowed
    pseudonyms.allowed_entities = knowledge.values.allowed_entities
    pseudonyms.names = policy.stand_ins == "names"
    pseudonyms.used = knowledge.words
    pseudonyms.avoid(knowledge.values)
    return pseudonyms


def _report(policy: Policy, knowledge: Knowledge, split: int) -> RedactionReport:
    """Return a report with the facts that are known after the first pass."""
    report = RedactionReport(policy.name, knowledge.values, structural=knowledge.values.structural, split=split)
    report.models = presidio.models()
    if rampart.load_rampart() is not None:
        report.models.append("rampart")
    report.without = missing_models()
    report.models += dictionaries.installed()
    report.models += Recognizers.of(policy).names
    if knowledge.unread:
        report.notes.append(pool.failure_sentence(knowledge.unread))
    return report


def _mask_recorder(masking: EventMasking) -> Observer | None:
    """Return a function that records each replacement with its time for a reviewer, or None if no reviewer collects
    them.
    """
    masks = active_masks()
    if masks is None:
        return None

    def tell(channel: str, entity: str, value: str, stand_in: str) -> None:
        masks.at = masking.at
        masks.add(channel, entity, value, stand_in)

    return tell
