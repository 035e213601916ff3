"""Look up the word vectors of a spaCy pipeline by binary search in a sorted list, cached on disk.

spaCy would read them into a dictionary of 700,000 entries, which takes a third of a second, for the few hundred words
of a page.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..contracts.cached_file import CachedFile

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_COUNT = struct.Struct("<Q")


class WordVectorIndex(Mapping[int, int]):
    """Maps the hash of a word to the row of its vector in the table."""

    def __init__(self, keys: Array, rows: Array) -> None:
        """Keep the sorted hashes of words, and the row of each."""
        self._keys, self._rows = keys, rows
        self._known: dict[int, int | None] = {}

    def __getitem__(self, key: int) -> int:
        if key not in self._known:
            at = int(self._keys.searchsorted(self._keys.dtype.type(key))) if 0 <= key < 1 << 64 else len(self._keys)
            there = at < len(self._keys) and int(self._keys[at]) == key
            self._known[key] = int(self._rows[at]) if there else None
        row = self._known[key]
        if row is None:
            raise KeyError(key)
        return row

    def __iter__(self) -> Iterator[int]:
        return iter(self._keys.tolist())

    def __len__(self) -> int:
        return len(self._keys)


def load_vectors(folder: Path) -> Any:
    """Return the word vectors in a pipeline's folder; None if their files have an unknown form, and spaCy must read
    them.
    """
    import numpy as np
    import srsly  # type: ignore[import-untyped, unused-ignore]
    from spacy.vectors import Vectors  # type: ignore[import-not-found, unused-ignore]

    table, named, settings = (folder / name for name in ("vectors", "key2row", "vectors.cfg"))
    if not all(file.is_file() for file in (table, named)):
        return None
    if settings.is_file() and srsly.read_json(settings) != {"mode": "default"}:
        return None
    status = named.stat()
    kept = CachedFile("vectors", f"{named} {status.st_size} {status.st_mtime_ns}")
    data = kept.read()
    if data is None:
        read = srsly.read_msgpack(named)
        if not read:
            return None
        keys = np.fromiter(read.keys(), "<u8", len(read))
        order = keys.argsort()
        rows = np.fromiter(read.values(), "<i4", len(read))[order]
        data = _COUNT.pack(len(read)) + keys[order].tobytes() + rows.tobytes()
        kept.write(data)
    (count,) = _COUNT.unpack_from(data)
    vectors = Vectors(data=np.load(table, allow_pickle=False))
    vectors.key2row = WordVectorIndex(
        np.frombuffer(data, "<u8", count, _COUNT.size), np.frombuffer(data, "<i4", count, _COUNT.size + 8 * count)
    )
    return vectors
