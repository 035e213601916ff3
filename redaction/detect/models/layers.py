"""Load and run the layers that both of pagereel's nets share, and join the parts of one name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from ...contracts.findings import Finding

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


def load_weights(package: str, name: str) -> dict[str, Array]:
    """Return the stored arrays of a net by their names."""
    import numpy as np

    with resources.files(package).joinpath(name).open("rb") as file:
        return {key: array.astype(np.float32) for key, array in np.load(file).items()}


class ConvolutionLayers:
    """Convolution layers with residual connections, and an output layer."""

    def __init__(self, stored: Mapping[str, Array], reach: Sequence[int]) -> None:
        """Load the layers.

        :param reach: for each convolution the distance, in rows, to the two other rows that it reads.
        """
        self._reach = reach
        self._norms, self._near, self._out = stored["norms"], stored["near"], stored["out"]
        if "near_scale" in stored:
            self._near = self._near * stored["near_scale"]
        self._near_bias, self._out_bias = stored["near_bias"], stored["out_bias"]
        self._last, self._last_bias = stored["last"], stored["last_bias"]

    def compute_probabilities(self, hidden: Array) -> Array:
        """Return for each row of hidden values the probabilities of the net's classes."""
        import numpy as np

        for norm, near, near_bias, out, out_bias, reach in zip(
            self._norms, self._near, self._near_bias, self._out, self._out_bias, self._reach, strict=False
        ):
            around = _convolve_rows(_normalize_rows(hidden, norm), near, reach)
            hidden = hidden + np.maximum(around + near_bias, 0) @ out + out_bias
        scores = _normalize_rows(hidden, self._norms[-1]) @ self._last + self._last_bias
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        out_of_one: Array = odds / odds.sum(axis=1, keepdims=True)
        return out_of_one


def _normalize_rows(rows: Array, norm: Array) -> Array:
    """Return rows normalized to mean 0 and variance 1, then scaled and shifted by learned values (as torch's LayerNorm)."""
    import numpy as np

    away = rows - rows.mean(axis=1, keepdims=True)
    out: Array = away / np.sqrt((away**2).mean(axis=1, keepdims=True) + 1e-5) * norm[0] + norm[1]
    return out


def _convolve_rows(rows: Array, weights: Array, distance: int) -> Array:
    """Return a convolution over each row, the row `distance` before it, and the row `distance` after it; rows outside of
    the text count as zeros.
    """
    out: Array = rows @ weights[1]
    out[distance:] += rows[:-distance] @ weights[0]
    out[:-distance] += rows[distance:] @ weights[2]
    return out


def join_name_parts(text: str, parts: Iterable[Finding], separator_pattern: re.Pattern[str]) -> list[Finding]:
    """Return findings in order, with those of one entity joined if only text that `separator_pattern` matches stands between
    them. The highest score is kept.
    """
    found: list[Finding] = []
    for part in parts:
        last = found[-1] if found else None
        if last and last.entity == part.entity and separator_pattern.fullmatch(text, last.end, part.start):
            found[-1] = last._replace(end=part.end, score=max(last.score, part.score))
        else:
            found.append(part)
    return found
