"""A replay's claim to show what the page showed: the checks of its three layers, and the number of missing resources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pagereel.reel import Json

LAYERS: Final = ("tree", "layout", "picture")


@dataclass(slots=True)
class FidelityLayer:
    """The checks of one layer: the number of checkpoints at which the replay equals the page, and of all
    checkpoints.
    """

    equal: int = 0
    total: int = 0

    def count_check(self, is_equal: bool) -> None:
        self.total += 1
        self.equal += is_equal

    @property
    def all_equal(self) -> bool:
        return self.equal == self.total

    def __str__(self) -> str:
        return f"{self.equal} of {self.total}"


@dataclass(slots=True)
class Fidelity:
    """The checks of the three layers.

    *tree* is the structure and the state of form controls, *layout* the positions and styles, *picture* the pixels. A
    layer that is ``None`` was not checked; one with a total of 0 was not recorded.
    """

    tree: FidelityLayer = field(default_factory=FidelityLayer)
    layout: FidelityLayer | None = None
    picture: FidelityLayer | None = None
    missing: int = 0
    """Number of resources that the page showed and that have no bytes."""

    @property
    def verdict(self) -> str:
        """Return the verdict over all layers.

        ``short``: a layer has differences, or a resource is missing; ``open``: no difference is known, but not every
        layer was checked; ``full``: all layers were checked, without differences.
        """
        layers = [self.tree, self.layout, self.picture]
        if self.missing or any(layer is not None and not layer.all_equal for layer in layers):
            return "short"
        return "full" if all(layer is not None and layer.total for layer in layers) else "open"

    @property
    def checks_summary(self) -> str:
        """Return a phrase with the checks of the layer that has most differences: ``replay matches the page: 14 of 14
        checks``.
        """
        layers = [layer for layer in (self.tree, self.layout, self.picture) if layer is not None and layer.total]
        least = min(layers, key=lambda layer: (layer.equal - layer.total, -layer.total), default=None)
        return (
            "replay not checked: no checkpoints"
            if least is None
            else f"replay matches the page: {least} check{'s' * (least.total != 1)}"
        )

    def __str__(self) -> str:
        layers = {"tree": self.tree, "layout": self.layout, "picture": self.picture}
        words = [f"{name} {layer}" for name, layer in layers.items() if layer is not None and layer.total]
        for what, names in (
            ("none recorded", [name for name, layer in layers.items() if layer is not None and not layer.total]),
            ("not checked", [name for name, layer in layers.items() if layer is None]),
        ):
            if names:
                words.append(f"{', '.join(names)}: {what}")
        if self.missing:
            words.append(f"{self.missing} {'resource' if self.missing == 1 else 'resources'} without bytes")
        return " · ".join(words)

    def to_json(self) -> dict[str, Json]:
        """Return the JSON for the built file, ``--json`` and ``window.pagereel.info``."""
        fields: dict[str, Json] = {"verdict": self.verdict}
        for name, layer in (("tree", self.tree), ("layout", self.layout), ("picture", self.picture)):
            fields[name] = None if layer is None else {"equal": layer.equal, "total": layer.total}
        return fields | {"missing": self.missing}

    @classmethod
    def from_json(cls, fields: Mapping[str, object]) -> Fidelity:
        """Return the checks from their JSON; a layer that is invalid there counts as not checked."""

        def read_layer(name: str) -> FidelityLayer | None:
            found = fields.get(name)
            if not isinstance(found, Mapping):
                return None
            equal, total = found.get("equal"), found.get("total")
            return FidelityLayer(equal, total) if isinstance(equal, int) and isinstance(total, int) else None

        missing = fields.get("missing")
        return cls(
            read_layer("tree") or FidelityLayer(),
            read_layer("layout"),
            read_layer("picture"),
            missing if isinstance(missing, int) else 0,
        )
