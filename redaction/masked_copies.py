"""Give a masked copy of a recording, or masked excerpts of several: the cached one, or a new one. The modules that mask are imported only for a new one, because that takes longer."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.errors import GateError
from pagereel.reel import Json

from .contracts.policy import Policy
from .copies import Copies, MaskedExcerpts

if TYPE_CHECKING:
    from .joint import Role
    from .report import JointlyMasked, RedactionReport


@contextmanager
def masked_copy(
    source: str | os.PathLike[str], policy: Policy | str | os.PathLike[str], *, gate: bool = True
) -> Iterator[tuple[Path, RedactionReport | None]]:
    """Give a masked copy of a recording, and the report of its redaction.

    The copy is the cached one, or a new one, which is cached if it passes the gate. For a cached copy the report is None. Raises what
    :func:`pagereel.redaction.redact` raises. Without `gate` it raises no GateError: the caller checks what it makes of the copy.
    """
    copies = Copies(source, policy)
    if (kept := copies.find()) is not None:
        yield kept, None
        return
    from .redactor import redact_reel

    key = secrets.token_bytes(32)
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        masked = Path(folder) / Path(source).name
        try:
            report = redact_reel(source, masked, policy, None, key=key)
            copies.keep(masked, key)
        except GateError:
            if gate:
                raise
            report = redact_reel(source, masked, policy, None, gate=False, key=key)
        yield masked, report


def mask_jointly(
    sources: Sequence[str | os.PathLike[str]],
    values: Sequence[tuple[Json, Role]],
    redaction: Policy | str | os.PathLike[str] = "vendor",
) -> JointlyMasked:
    """Return `values`, which were taken from the recordings `sources`, masked by `redaction`: the cached ones, or new ones, which are cached if they
    pass the gate. Raises what :func:`pagereel.redaction.redact_many` raises.
    """
    from .report import JointlyMasked

    excerpts = MaskedExcerpts(sources, redaction, values)
    if (kept := excerpts.find()) is not None:
        return JointlyMasked(kept, None, [], [])
    from .joint import redact_many

    masked = redact_many((), redaction, values=values, known_from=sources)
    if masked.gate is not None and masked.gate.search((said := json.dumps(masked.values)).encode()).clean:
        excerpts.keep(said)
    return masked
