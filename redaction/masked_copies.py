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
    """Give a masked copy of a recording: the one that is kept, or else a new one, which is kept if it passes the gate.

    Beside it the redaction's report; None for a copy that was kept: what was masked in it is known to nobody any more. Raises what
    :func:`pagereel.redaction.redact` raises; without ``gate`` no GateError, for who gates what is made of the copy.
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
