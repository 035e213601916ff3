"""Return a masked copy of a recording, or masked excerpts of several: the cached ones, or new ones.

The modules that mask are imported only if a new copy is needed, because the import takes time.
"""

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
from .masked_copy_cache import MaskedCopyCache, MaskedExcerptCache

if TYPE_CHECKING:
    from .joint_redaction import Role
    from .report import JointlyMasked, RedactionReport


@contextmanager
def open_masked_copy(
    source: str | os.PathLike[str], policy: Policy | str | os.PathLike[str], *, gate: bool = True
) -> Iterator[tuple[Path, RedactionReport | None]]:
    """Yield the path of a masked copy of a recording, and the report of its redaction (None for a cached copy).

    A new copy is cached if it passes the gate. Raises what :func:`pagereel.redaction.redact` raises.

    :param gate: False raises no GateError: the caller searches the file that it builds from the copy.
    """
    copies = MaskedCopyCache(source, policy)
    if (kept := copies.find_copy()) is not None:
        yield kept, None
        return
    from .redactor import redact_reel

    key = secrets.token_bytes(32)
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        masked = Path(folder) / Path(source).name
        try:
            report = redact_reel(source, masked, policy, None, key=key)
            copies.store_copy(masked, key)
        except GateError:
            if gate:
                raise
            report = redact_reel(source, masked, policy, None, gate=False, key=key)
        yield masked, report


def mask_excerpts_jointly(
    sources: Sequence[str | os.PathLike[str]],
    values: Sequence[tuple[Json, Role]],
    redaction: Policy | str | os.PathLike[str] = "vendor",
) -> JointlyMasked:
    """Return the excerpts `values` of the recordings `sources`, masked together by one policy.

    The result is cached if it passes the gate. Raises the errors of :func:`pagereel.redaction.redact_many`.
    """
    from .report import JointlyMasked

    excerpts = MaskedExcerptCache(sources, redaction, values)
    if (kept := excerpts.find_values()) is not None:
        return JointlyMasked(kept, None, [], [])
    from .joint_redaction import redact_many

    masked = redact_many((), redaction, values=values, known_from=sources)
    if masked.gate is not None and masked.gate.search((said := json.dumps(masked.values)).encode()).clean:
        excerpts.store_values(said)
    return masked
