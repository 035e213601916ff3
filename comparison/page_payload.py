"""The data of the comparison page for the player (player_build/player/src/comparison/data.ts)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pagereel.reel import Json

if TYPE_CHECKING:
    from .records import RunItemSummary
    from .result import Comparison


def build_page_payload(result: Comparison) -> dict[str, Json]:
    """Return the data that the comparison page shows. Times are in ms; `u` is a time on the joint clock."""
    divergence = result.divergence
    return {
        "clock": [[*moment] for moment in result.clock],
        "divergence": {**divergence.to_json(), "difference": result.first, "links": [*divergence.links]}
        if divergence is not None
        else None,
        "differences": [
            {
                "kind": each.kind,
                "said": each.said,
                "sure": each.is_sure,
                "a": each.a,
                "b": each.b,
                "at": dict(each.at.items()),
                "nodes": {side: list(node) if node else None for side, node in each.nodes.items()},
                "u": round(result.joint(each), 1),
            }
            for each in result.differences
        ],
        "pairs": [
            {"kind": pair.kind, "a": _item_summary_to_json(pair.done[0]), "b": _item_summary_to_json(pair.done[1])}
            for pair in result.pairs
        ],
        "outcome": cast(Json, result.outcome),
        "ignored": result.ignored,
        "notes": list(result.notes),
    }


def _item_summary_to_json(item: RunItemSummary | None) -> Json:
    if item is None:
        return None
    return [item.kind, item.title, item.t, item.end, item.depth, item.failed]
