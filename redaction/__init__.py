"""Write masked copies of recordings: find personal data and secrets in a reel, and replace them before it is shared.

    report = redact("run.reel", "masked.reel")           # policy "vendor"
    gate_html("run.html", report)                        # raises GateError if a known value is still there

Importing this package is fast: what masks and what searches is imported on its first use, and a language model with
the first text.
"""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pagereel.errors import GateError, UsageError
from pagereel.lazy_imports import import_attribute
from pagereel.options import OnLeak
from pagereel.reel import Keys

from .contracts.entities import ENTITIES
from .contracts.findings import Contexts, Finding, TextContext
from .contracts.mask_log import MaskedValue, MaskLog, collect_masks
from .contracts.policy import POLICIES, Policy, PolicyPattern, PolicyRule, load_policy
from .contracts.required_packages import require_packages
from .installed_models import describe_missing_models, list_missing_models, require_all_models
from .masked_before import is_masked_by_policy
from .vault.audit import append_chained_line, describe_user, format_current_time, is_chain_intact

if TYPE_CHECKING:
    from presidio_analyzer import EntityRecognizer

    from .gate.gate import Gate, GateResult, Leak
    from .joint_redaction import Role, redact_many
    from .live_masking import LiveMasker
    from .masked_copies import mask_excerpts_jointly, open_masked_copy
    from .masked_copy_cache import delete_all_copies
    from .passes.first_pass import Progress
    from .redactor import known_values
    from .report import JointlyMasked, RedactionReport
    from .review_policy import parse_review_rules, to_policy_toml
    from .values.known_values import KnownValue, KnownValues
    from .vault.vault import StandInEntry, Vault, open_and_log, open_vault, unmask

__all__ = [
    "ENTITIES",
    "POLICIES",
    "Finding",
    "Gate",
    "GateResult",
    "JointlyMasked",
    "KnownValue",
    "KnownValues",
    "Leak",
    "LiveMasker",
    "MaskLog",
    "MaskedValue",
    "Policy",
    "PolicyPattern",
    "PolicyRule",
    "RedactionReport",
    "Role",
    "StandInEntry",
    "TextContext",
    "Vault",
    "append_chained_line",
    "collect_masks",
    "delete_all_copies",
    "describe_missing_models",
    "describe_user",
    "find_pii",
    "format_current_time",
    "gate_html",
    "is_chain_intact",
    "is_masked_by_policy",
    "known_values",
    "list_missing_models",
    "load_policy",
    "mask_excerpts_jointly",
    "open_and_log",
    "open_masked_copy",
    "open_vault",
    "parse_review_rules",
    "redact",
    "redact_async",
    "redact_many",
    "require_all_models",
    "require_packages",
    "to_policy_toml",
    "unmask",
]

_LAZY = {
    **dict.fromkeys(("Gate", "GateResult", "Leak"), "gate.gate"),
    "LiveMasker": "live_masking",
    "delete_all_copies": "masked_copy_cache",
    **dict.fromkeys(("Role", "redact_many"), "joint_redaction"),
    "known_values": "redactor",
    **dict.fromkeys(("mask_excerpts_jointly", "open_masked_copy"), "masked_copies"),
    **dict.fromkeys(("JointlyMasked", "RedactionReport"), "report"),
    **dict.fromkeys(("to_policy_toml", "parse_review_rules"), "review_policy"),
    **dict.fromkeys(("KnownValue", "KnownValues"), "values.known_values"),
    **dict.fromkeys(("StandInEntry", "Vault", "open_and_log", "open_vault", "unmask"), "vault.vault"),
}
"""Name → the module that defines it, which is imported when the name is first used."""

if not TYPE_CHECKING:  # Otherwise mypy would accept any name as one of this package.

    def __getattr__(name: str) -> object:
        return import_attribute(__name__, _LAZY, name)


def redact(
    source: str | os.PathLike[str],
    destination: str | os.PathLike[str],
    redaction: Policy | str | os.PathLike[str] = "vendor",
    *,
    progress: Progress | None = None,
    gate: bool = True,
    title: str | None = None,
    vault: str | os.PathLike[str] | None = None,
    vault_key: Keys | None = None,
    on_leak: OnLeak = "fail",
    recognizers: Sequence[EntityRecognizer] = (),
) -> RedactionReport:
    """Write a masked copy of a recording. The destination is replaced in one step, or not touched.

    :param redaction: ``internal``, ``vendor``, ``strict``, a :class:`Policy`, or the path of a TOML or YAML file.
    :param progress: called with the name of the pass, how much is done and how much there is.
    :param gate: search the masked reel for every known value before it gets its name; False is for callers that build
        another file from the reel and search that one.
    :param title: a new title for the recording. It is masked like any text, and written into the masked reel's
        header.
    :param vault: where to write the originals of what is masked (see :mod:`.vault.vault`), encrypted to
        ``vault_key``: a key file's path, PEM, or a
    :class:`pagereel.reel.Key`, or several.
    :param on_leak: ``drop`` leaves out the text, the resource or the event in which the gate finds a value, and the
        report's ``dropped`` says so (``leak <kind>``); ``fail`` writes nothing.
    :param recognizers: objects of Presidio's ``EntityRecognizer``, asked in addition to the built-in ones; what they
        find is masked.
    :returns: the report; its ``known`` values are for :func:`gate_html` and live in memory only.
    :raises UsageError: the destination's folder does not exist, or ``redaction`` is None.
    :raises ReelError: the source is no reel.
    :raises PolicyError: the policy is invalid.
    :raises GateError: a known value stands in the masked reel; nothing was written.
    :raises SetupError: no spaCy pipeline for English is installed.
    """
    from .redactor import redact_reel

    if redaction is None or redaction == "off":
        raise UsageError("redact() with redaction off would change nothing; copy the file instead.")
    if recognizers:
        from .detect.user_recognizers import require_recognizers

        loaded = load_policy(redaction)
        redaction = replace(loaded, recognizers=(*loaded.recognizers, *require_recognizers(recognizers)))
    return redact_reel(source, destination, redaction, progress, gate, vault, vault_key, title, on_leak)


async def redact_async(
    source: str | os.PathLike[str],
    destination: str | os.PathLike[str],
    redaction: Policy | str | os.PathLike[str] = "vendor",
    *,
    progress: Progress | None = None,
    gate: bool = True,
    title: str | None = None,
    vault: str | os.PathLike[str] | None = None,
    vault_key: Keys | None = None,
    on_leak: OnLeak = "fail",
    recognizers: Sequence[EntityRecognizer] = (),
) -> RedactionReport:
    """Run :func:`redact` in a thread, so that the event loop keeps running. If the task is cancelled, the copy is
    still written.
    """
    return await asyncio.to_thread(
        redact, source, destination, redaction, progress=progress, gate=gate, title=title, vault=vault, vault_key=vault_key,
        on_leak=on_leak, recognizers=recognizers,
    )  # fmt: skip


def gate_html(
    html: bytes | str | os.PathLike[str],
    known: KnownValues | RedactionReport,
    *,
    shell: bytes = b"",
    check: bool = True,
) -> GateResult:
    """Search all layers of a finished file for every variant of every known value.

    :param html: the file's bytes or its path.
    :param shell: the player's own script and style: a value that stands in them by chance is counted and not
        reported.
    :param check: raise GateError for a leak; False returns the result either way.
    :raises GateError: a known value stands in the file (the message names channel and type, never the value), or a
        layer cannot be opened to its end.
    """
    from .gate.gate import NOTHING_WRITTEN, search_file
    from .report import RedactionReport

    result = search_file(html, known.known if isinstance(known, RedactionReport) else known, shell)
    if check and not result.clean:
        raise GateError(result.sentence(NOTHING_WRITTEN))
    return result


def find_pii(
    texts: Sequence[str], context: Contexts | None = None, *, recognizers: Sequence[EntityRecognizer] = ()
) -> list[list[Finding]]:
    """Return for each text the findings that the redaction would mask in page text, in order and without overlap.

    :param texts: any strings; equal ones are read once.
    :param context: for each text its label (a form label, column header or JSON key), or None.
    :param recognizers: as in :func:`redact`.
    :returns: a list of :class:`Finding` (``start``, ``end``, ``entity``, ``score``; character offsets) for each text.
        A text at which the detector itself fails is one finding of type ``SECRET``, and a RuntimeWarning says so.
    :raises UsageError: one of ``recognizers`` failed, or ``texts`` is one string.
    :raises SetupError: no spaCy pipeline for English is installed.
    """
    from .detect.detection_pool import describe_failures, find_personal_data_in_processes
    from .detect.user_recognizers import UserRecognizers, require_recognizers

    if isinstance(texts, str):
        raise UsageError("find_pii() takes a list of texts; pass [text] for one text.")
    failed: list[str] = []
    found = find_personal_data_in_processes(
        texts, context, recognizers=UserRecognizers(recognizers=require_recognizers(recognizers)), failure_places=failed
    )
    if failed:
        warnings.warn(describe_failures(failed), RuntimeWarning, stacklevel=2)
    return found
