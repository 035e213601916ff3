"""Give a masked copy of a recording: the cached one, or a new one. The modules that mask are imported only for a new one, because that takes longer."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.errors import GateError

from .contracts.policy import Policy
from .copies import Copies

if TYPE_CHECKING:
    from .report import RedactionReport


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
