"""Matches the elements of two pages' trees.

Equal subtrees are matched by hash and not compared further. Other elements are matched among the children of
matched elements: by stable attributes (``id``, ``data-testid``, ``name``, ``aria-label``, an address), then by
similarity; moved elements are matched by hash and by stable attributes in the whole tree. Hashes from the leaves up
and matches from the root down are GumTree's idea (Falleri et al. 2014). Node ids are not used, because each run has
its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from ..runs.element_sketches import normalize_attribute_value, normalize_attributes
from ..runs.normalization import normalize_line
from ..runs.run_items import ElementSketch
from .alignment import align_sequences

STABLE: Final = ("id", "data-testid", "data-test", "name", "aria-label")


class TreeChange(NamedTuple):
    """One difference between two trees: an element that was added, removed or moved, or an attribute.

    `name`: the attribute that differs, with its old value `was` and its new value `now`.
    """

    kind: Literal["attribute", "added", "removed", "moved"]
    a: ElementSketch | None
    b: ElementSketch | None
    name: str = ""
    was: str | None = None
    now: str | None = None


class TreeMatcher:
    """Finds the differences between two trees of sketches; it caches the words of each element."""

    def __init__(self) -> None:
        self._words: dict[ElementSketch, frozenset[str]] = {}

    def iter_changes(self, a: ElementSketch, b: ElementSketch) -> Iterator[TreeChange]:
        """Yield the elements and attributes in which the second tree differs from the first, from the root down.

        Texts are left out, because they are compared as lines of the page.
        """
        gone: list[ElementSketch] = []
        new: list[ElementSketch] = []
        pairs = [(a, b)]
        while pairs:
            while pairs:
                one, other = pairs.pop()
                if one.hash == other.hash:
                    continue
                yield from self._iter_attribute_changes(one, other)
                pairs += self._match_children(one, other, gone, new)
            for one, other, same in self._extract_moved_elements(gone, new):
                if same:
                    yield TreeChange("moved", one, other)
                else:
                    pairs.append((one, other))
        yield from (TreeChange("removed", node, None) for node in gone)
        yield from (TreeChange("added", None, node) for node in new)

    # -- identity of elements --------------------

    def _get_similarity_words(self, node: ElementSketch) -> frozenset[str]:
        if node not in self._words:
            own = [
                *normalize_line(node.text).split(),
                *(f"{n}={v}" for n, v in normalize_attributes(node.attrs)),
                *node.attrs.get("class", "").split(),
            ]
            inner = [child.name for child in node.inside]
            self._words[node] = frozenset((*own, *inner))
        return self._words[node]

    # -- matching --------------------

    def _match_children(
        self, a: ElementSketch, b: ElementSketch, removed: list[ElementSketch], added: list[ElementSketch]
    ) -> list[tuple[ElementSketch, ElementSketch]]:
        ours, theirs = a.inside, b.inside

        def score_children(x: int, y: int) -> float:
            one, other = ours[x], theirs[y]
            if one.name != other.name:
                return -9.0
            stable, others = get_stable_key(one), get_stable_key(other)
            if stable is not None and stable == others:
                return 0.9
            low = -2.5 if stable and others and stable[1] == others[1] != "href" else -1.0
            words, more = self._get_similarity_words(one), self._get_similarity_words(other)
            return low + 1.8 * len(words & more) / max(len(words | more), 1)

        found = align_sequences([n.hash for n in ours], [n.hash for n in theirs], score_children)
        removed += [ours[x] for x, y in found if x is not None and y is None]
        added += [theirs[y] for x, y in found if y is not None and x is None]
        return [(ours[x], theirs[y]) for x, y in found if x is not None and y is not None]

    def _extract_moved_elements(
        self, removed: list[ElementSketch], added: list[ElementSketch]
    ) -> list[tuple[ElementSketch, ElementSketch, bool]]:
        """Remove moved elements from both lists, and return them as pairs, each with whether the subtrees are equal.

        Elements are paired if their subtrees are equal, or if they have the same stable attribute.
        """
        found: list[tuple[ElementSketch, ElementSketch, bool]] = []
        for same, key in ((True, lambda node: node.hash), (False, get_stable_key)):
            places: dict[object, list[ElementSketch]] = {}
            for node in added:
                places.setdefault(key(node), []).append(node)
            for node in list(removed):
                name = key(node)
                if (
                    name is not None
                    and len(places.get(name, ())) == 1
                    and sum(key(other) == name for other in removed) == 1
                ):
                    other = places.pop(name)[0]
                    removed.remove(node)
                    added.remove(other)
                    found.append((node, other, same))
        return found

    def _iter_attribute_changes(self, a: ElementSketch, b: ElementSketch) -> Iterator[TreeChange]:
        ours, theirs = dict(normalize_attributes(a.attrs)), dict(normalize_attributes(b.attrs))
        for name in sorted(ours.keys() | theirs.keys()):
            if ours.get(name) != theirs.get(name):
                yield TreeChange(
                    "attribute", a, b, name, a.attrs.get(name, ours.get(name)), b.attrs.get(name, theirs.get(name))
                )


def get_stable_key(node: ElementSketch) -> tuple[str, ...] | None:
    """Return an element's name with its first attribute that is the same in each run, or its address; None without."""
    for name in STABLE:
        value = node.attrs.get(name)
        if value and normalize_attribute_value(name, value) == value:
            return (node.name, name, value)
    href = node.attrs.get("href")
    return (node.name, "href", normalize_attribute_value("href", href)) if href else None
