"""Write a masked reel: run both passes, check the digests, search the result by the gate, and replace the destination in one step."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

from pagereel.errors import GateError, ReelError, UsageError
from pagereel.reel import Event, Keys, Reel, ReelWriter, load_keys
from pagereel.sources import open_any

from .content.site_addresses import find_broken_addresses
from .content.split_values import find_split_value_nodes
from .contracts.mask_log import get_active_mask_log
from .contracts.policy import Policy, load_policy
from .detect import detection_pool
from .detect.cues import dictionaries
from .detect.models import presidio, rampart
from .detect.user_recognizers import UserRecognizers
from .gate.gate import NOTHING_WRITTEN, Gate, read_file
from .gate.leak_omission import ON_LEAK, LeakOmitter
from .installed_models import list_missing_models, require_all_models
from .masked_copy_cache import MaskedCopyCache
from .passes.event_spool import EventSpool
from .passes.first_pass import FirstPassResult, Progress, run_first_pass
from .passes.first_pass_knowledge import FirstPassKnowledge
from .passes.recording_walk import RecordingWalk
from .passes.replacement_log import Observer
from .passes.rewriter import StandInRewriter
from .passes.second_pass import CheckpointDigests, EventMasker
from .pictures.screenshot_boxes import ScreenshotBoxPainter
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
    key = key or MaskedCopyCache(source, policy).read_key()
    if rules.require_models:
        require_all_models()
    target = Path(destination)
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist; create it or choose another destination.")
    if on_leak not in ON_LEAK:
        raise UsageError(f"on_leak must be one of {', '.join(ON_LEAK)}, not {on_leak!r}.")
    if vault is not None and not load_keys(vault_key):
        raise UsageError("A vault needs a key: give vault_key, a passphrase or a public key to encrypt it to.")
    if vault is not None and Path(vault).exists():
        raise UsageError(f"{vault} exists already, and a vault is never overwritten; give another path.")
    with open_any(source) as reel:
        if vault is not None and any(event.get("k") == "redaction" for event in reel.events()):
            raise UsageError(f"{source} is masked already; give the raw recording to make a vault.")
        header = reel.header if title is None else {**reel.header, "title": title}
        found = run_first_pass(reel, header, rules, progress)
        pseudonyms = build_pseudonyms(found.knowledge, rules, key)
        report = write_masked_copy(
            reel, header, rules, found, pseudonyms, target, progress, gate=gate, on_leak=on_leak,
            vault=None if vault is None or vault_key is None else (Path(vault), vault_key),
        )  # fmt: skip
    report.seconds = time.monotonic() - started
    return report


def write_masked_copy(
    reel: Reel,
    header: Event,
    policy: Policy,
    first_pass: FirstPassResult,
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
    rewriter = StandInRewriter(first_pass.knowledge, policy, pseudonyms, first_pass.resources.get_masked_hash, number)
    rewriter.split = find_split_value_nodes(reel.timeline(), rewriter.find_known_spans)
    first_pass.resources.sink = rewriter
    report = _build_report(policy, first_pass.knowledge, split_count=len(rewriter.split))
    report.vault = secrets.token_hex(16) if vault is not None else None
    searched = Gate(report.known) if gate or on_leak == "drop" else None
    left_out = LeakOmitter(searched) if searched is not None and on_leak == "drop" else None
    boxes = ScreenshotBoxPainter(policy, first_pass.placed, first_pass.resources.has_only_unmasked_pictures)
    masking = EventMasker(RecordingWalk(rewriter, policy), policy, first_pass.resources, boxes)
    rewriter.log.observer = _build_mask_observer(masking)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    try:
        with EventSpool(target.parent) as spool:
            head = masking.mask_header(header)
            digests = CheckpointDigests()
            events = masking.mask_events(reel, progress)
            spool.add_events(digests.update_checkpoints(events if left_out is None else left_out.omit_leaks(events)))
            report.checkpoints = digests.count
            for (channel, entity), count in rewriter.log.counts.items():
                report.channels.setdefault(channel, {})[entity] = count
            report.dropped = {
                **{f"event {k}": n for k, n in masking.dropped.items()},
                **{f"resource {k}": n for k, n in first_pass.resources.dropped.items()},
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
                for event in spool.iter_events():
                    writer.write(event)
                writer.close(reel.reason)
        report.lost = find_broken_addresses(
            rewriter.list_masked_urls(), first_pass.resources.find_visual_addresses(), first_pass.resources.bases
        )
        if gate and searched is not None:
            result = searched.search(read_file(temporary))
            if not result.clean:
                raise GateError(result.sentence(NOTHING_WRITTEN, "the masked recording"))
        if vault is not None and report.vault is not None:
            write_vault(vault[0], report.vault, reel, temporary, pseudonyms.iter_given_stand_ins(), vault[1])
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
        return run_first_pass(reel, reel.header, rules, progress).knowledge.values


def build_pseudonyms(knowledge: FirstPassKnowledge, policy: Policy, key: bytes | None = None) -> Pseudonyms:
    """Return the object that makes the stand-ins of one redaction, with the given key or a new one."""
    pseudonyms = Pseudonyms(key)
    pseudonyms.allowed = knowledge.values.allowed
    pseudonyms.allowed_entities = knowledge.values.allowed_entities
    pseudonyms.names = policy.stand_ins == "names"
    pseudonyms.used = knowledge.words
    pseudonyms.set_known_values(knowledge.values)
    return pseudonyms


def _build_report(policy: Policy, knowledge: FirstPassKnowledge, split_count: int) -> RedactionReport:
    """Return a report with the facts that are known after the first pass."""
    report = RedactionReport(policy.name, knowledge.values, structural=knowledge.values.structural, split=split_count)
    report.models = presidio.list_pipelines()
    if rampart.load_rampart() is not None:
        report.models.append("rampart")
    report.without = list_missing_models()
    report.models += dictionaries.list_installed_dictionaries()
    report.models += UserRecognizers.from_policy(policy).recognizer_names
    if knowledge.unread:
        report.notes.append(detection_pool.describe_failures(knowledge.unread))
    return report


def _build_mask_observer(masking: EventMasker) -> Observer | None:
    """Return a function that records each replacement with its time for a reviewer, or None if no reviewer collects
    them.
    """
    masks = get_active_mask_log()
    if masks is None:
        return None

    def record_mask(channel: str, entity: str, value: str, stand_in: str) -> None:
        masks.at = masking.at
        masks.record_mask(channel, entity, value, stand_in)

    return record_mask
