"""Compares the layout sample of a checkpoint with the replay: scroll offsets, boxes, computed styles, pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, Final

from pagereel.reel import EXTRA, PARTS, STYLE, DocumentModel, Node

NAMES: Final = (*STYLE, *EXTRA)

_COLOR: Final = STYLE.index("color")
_GROUND: Final = STYLE.index("background-color")
_CLEAR: Final = "rgba(0,0,0,0)"
_TEXT: Final = frozenset({"color", "border-top-color"})

NEAR: Final = 2
"""CSS px that a box or an offset may differ: letters have fractional sizes, boxes are recorded as whole numbers."""

_BESIDE: Final = 16
"""Number of siblings of an indeterminate checkbox that count as styled by it."""

_MOVING: Final = frozenset(f"svg|{name}" for name in ("animate", "animateMotion", "animateTransform", "set"))

UNREAD: Final = 2
"""The value for a canvas that could not be read."""

OLD: Final = 500
"""Largest age in ms of a canvas's last picture, for a mark at which the canvas could not be read. A moving canvas is
recorded every 250 ms.
"""

APART: Final = 0.25
"""Seconds by which the position of a paused video may differ: usually not visible, and more than the error of a seek."""

CLAMPED: Final = 0.1
"""The share of an offset by which a masked page may be shorter, because its texts differ."""

_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")

# Called after LOOK in the same world, with the number of a document and indexes of its nodes. Returns the viewport
# with its offsets, and for each element: the part of its box that is in the viewport, offsets and their limits, its
# values, and for media the width, the height, whether anything is shown, and the position of a video in seconds; null
# for other elements.
SEE: Final = r"""(number, indexes, parts, names) => {
  const nodes = globalThis.pagereelSeen[number];
  const document = nodes[0];
  const window = document.defaultView;
  const {innerWidth: w, innerHeight: h} = window;
  const loaded = new Set();
  const plain = (family) => family.trim().replace(/^["']|["']$/g, '').toLowerCase();
  document.fonts.forEach((font) => { if (font.status === 'loaded') loaded.add(plain(font.family)); });
  const scrolls = (element) => [element.scrollLeft, element.scrollTop, element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight];
  const media = (element, style) => {
    const tag = element.localName;
    if (tag === 'img') return [element.naturalWidth, element.naturalHeight, Number(element.complete && element.naturalWidth > 0)];
    // Where there are bytes: a picture of the film in place of them has no position.
    if (tag === 'video') return [element.videoWidth, element.videoHeight, Number(element.readyState > 1 || Boolean(element.poster)), element.readyState > 0 ? element.currentTime : null];
    // The player shows a canvas as replaced content: nothing at all, or the picture that was recorded.
    if (tag === 'canvas') return [element.width, element.height, Number(style.content.includes('blob:'))];
    return null;
  };
  const valuesOf = (element, style) => {
    const values = names.map((name) => style.getPropertyValue(name).replaceAll(', ', ',').replace(/[^\w .,()%#/+-]/g, '?'));
    const image = style.backgroundImage;
    const masked = element.hasAttribute('data-pagereel-masked');
    values.push(masked ? '' : image === 'none' ? image : image.includes('url(') ? 'image' : 'gradient');
    values.push(style.boxShadow === 'none' ? 'none' : 'shadow');
    values.push(String(loaded.size ? style.fontFamily.split(',').findIndex((name) => loaded.has(plain(name))) : -1));
    return values;
  };
  const seePart = ([index, part]) => {
    if (nodes[index].nodeType !== 1) return null;
    const style = window.getComputedStyle(nodes[index], part);
    // There is no ::before, no ::after; of a view transition a replay has the end alone.
    const missing = part === '::view-transition' || (part < '::c' && style.content === 'none');
    return missing ? ['none'] : valuesOf(nodes[index], style);
  };
  const see = (index) => {
    const element = nodes[index];
    if (element.nodeType !== 1) return null;
    const {left, top, right, bottom} = Element.prototype.getBoundingClientRect.call(element);
    const x = Math.round(Math.max(0, left)), y = Math.round(Math.max(0, top));
    const style = window.getComputedStyle(element);
    const box = [x, y, Math.round(Math.min(w, right)) - x, Math.round(Math.min(h, bottom)) - y];
    return {box, scroll: scrolls(element), values: valuesOf(element, style), media: media(element, style)};
  };
  const root = document.scrollingElement ?? document.documentElement;
  const limits = root ? scrolls(root).slice(2) : [0, 0];
  return JSON.stringify({view: [w, h, window.scrollX, window.scrollY, ...limits], items: indexes.map(see), parts: parts.map(seePart)});
}"""

Look = Mapping[str, Any]


def list_sampled_indexes(sample: Look, node_indexes: Mapping[int, int]) -> list[int]:
    """Return the indexes of the elements in a layout sample, in the order of the tree. `node_indexes` maps node ids to
    indexes.
    """
    ids = {int(item[0]) for name in ("boxes", "scroll", "media", "films") for item in sample.get(name) or ()}
    return sorted(node_indexes[id] for id in ids if id in node_indexes)


def list_sampled_pseudo_elements(sample: Look, node_indexes: Mapping[int, int]) -> list[tuple[int, str, int]]:
    """Return the pseudo-elements in a layout sample: the element's index, the pseudo-element's name, and the number of
    its style.
    """
    boxed = {int(box[0]) for box in sample.get("boxes") or ()}
    return [
        (node_indexes[id], PARTS[part], style)
        for id, part, style in sample.get("parts") or ()
        if id in boxed and id in node_indexes
    ]


def has_element_boxes(sample: Look) -> bool:
    """Return whether a layout sample has positions and sizes of elements; that of a masked recording has none."""
    return any(len(box) > 2 for box in sample.get("boxes") or ())


def select_comparable_sample(sample: Look, document: DocumentModel) -> Look:
    """Return a layout sample without values in which even a correct replay may differ.

    - Scroll offsets that were recorded relative to an element: if the browser skips content out of view, the replay's
      offsets differ although the visible content is at the same place.
    - Drawings moved by SVG's own animations, because their position depends on the exact time.
    - The next siblings of a checkbox that became indeterminate: Chromium continues to show them in their old style
      (``:checked`` no longer matches, and no event says so).
    """
    checked = [node for node in document.stateful.values() if _is_indeterminate_checkbox(node)]
    stale = {each.id for node in checked for each in _iter_next_siblings(node)}
    sized = {node.parent.id for node in checked if node.parent}  # The size depends on the content.
    boxes = [
        box
        for box in sample.get("boxes") or ()
        if box[0] not in sized and not _has_unstable_position(document.nodes.get(int(box[0])), stale)
    ]
    sample = {**sample, "boxes": boxes}
    anchored = {id for id, node in document.stateful.items() if len(_get_scroll_offset(node)) > 2}
    if not anchored:
        return sample
    scroll = [item for item in sample.get("scroll") or () if item[0] not in anchored]
    view = sample["view"]
    root = document.root.id if document.root else 0
    return {**sample, "scroll": scroll, "view": view[:2] if root in anchored else view}


def add_canvas_ages(sample: Look, document: DocumentModel, t: float) -> Look:
    """Return a copy of a layout sample that says which canvases are out of date at the time `t` (ms).

    A canvas that could not be read at `t` shows its last recorded picture. If that picture is older than :data:`OLD`,
    its age in ms is added.
    """
    media = []
    for id, width, height, shows in sample.get("media") or ():
        age = t - document.told.get(("canvas", int(id)), -math.inf) if shows == UNREAD else 0
        media.append([id, width, height, shows, age] if age > OLD else [id, width, height, min(shows, 1)])
    return {**sample, "media": media}


def _is_indeterminate_checkbox(node: Node) -> bool:
    state = node.state or {}
    return bool(state.get("indeterminate")) and bool(state.get("checked", "checked" in node.attrs))


def _iter_next_siblings(node: Node) -> Iterator[Node]:
    """Yield the next few siblings of a node."""
    following = node.next
    for _ in range(_BESIDE):
        if following is None:
            return
        yield following
        following = following.next


def _has_unstable_position(node: Node | None, stale_ids: Set[int]) -> bool:
    while node is not None:
        if node.id in stale_ids or (
            node.name.startswith("svg|") and any(child.name in _MOVING for child in node.children)
        ):
            return True
        node = node.parent
    return False


def _get_scroll_offset(node: Node) -> Sequence[object]:
    offset = (node.state or {}).get("scroll")
    return offset if isinstance(offset, list) else ()


def iter_layout_differences(
    sample: Look, node_indexes: Mapping[int, int], indexes: Sequence[int], shown_layout: Mapping[str, Any]
) -> Iterator[tuple[int, str, str]]:
    """Yield the differences of the replay from a layout sample: the node's index (0: the document), the wanted and the
    found value as text.
    """
    items = dict(zip(indexes, shown_layout["items"], strict=True))
    loose = not has_element_boxes(sample)
    size, offset = sample["view"][:2], sample["view"][2:]
    if not loose and not all(abs(a - b) <= NEAR for a, b in zip(size, shown_layout["view"], strict=False)):
        yield 0, f"a viewport of {_format_pixels(size)}", f"one of {_format_pixels(shown_layout['view'][:2])}"
    offsets = shown_layout["view"][2:]
    if offset and not _offsets_match(offset, offsets, loose):
        yield 0, f"scrolled to {_format_pixels(offset)}", _format_pixels(offsets[:2])
    for id, *wanted in sample.get("scroll") or ():
        item = items.get(node_indexes.get(id, -1))
        if item is not None and not _offsets_match(wanted, item["scroll"], loose):
            yield node_indexes[id], f"scrolled to {_format_pixels(wanted)}", _format_pixels(item["scroll"][:2])
    for id, *wanted in sample.get("media") or ():
        item = items.get(node_indexes.get(id, -1))
        if item is not None and item["media"] is not None:
            yield from ((node_indexes[id], *words) for words in _iter_media_differences(wanted, item["media"]))
    for id, second in sample.get("films") or ():
        item = items.get(node_indexes.get(id, -1))
        at = item["media"][3:] if item is not None and item["media"] is not None else []
        if at and at[0] is not None and abs(at[0] - second) > APART:
            yield node_indexes[id], f"a film at {second:g} s", f"at {at[0]:.3g} s"
    styles = sample.get("styles") or ()
    for id, style, *box in sample.get("boxes") or ():
        item = items.get(node_indexes.get(id, -1))
        if item is None:
            continue
        yield from ((node_indexes[id], *words) for words in _iter_style_differences(styles, style, item["values"]))
        if len(box) == 4 and not all(abs(a - b) <= NEAR for a, b in zip(box, item["box"], strict=True)):
            yield (
                node_indexes[id],
                f"a box at {_format_pixels(box[:2])} of {_format_pixels(box[2:])}",
                f"{_format_pixels(item['box'][:2])} of {_format_pixels(item['box'][2:])}",
            )
    for (index, part, style), shown in zip(
        list_sampled_pseudo_elements(sample, node_indexes), shown_layout["parts"], strict=True
    ):
        if shown is None:
            continue
        own: Sequence[str] = next(
            (item["values"] for at, item in zip(indexes, shown_layout["items"], strict=True) if at == index and item),
            [],
        )
        left = (
            _list_undefined_colours(str(styles[int(style)]).split(";"), own, shown)
            if part == "::selection"
            else frozenset()
        )
        values = ["" if name in left else value for name, value in zip(NAMES, shown, strict=False)]
        yield from ((index, *words) for words in _iter_style_differences(styles, style, values, f"{part} "))


def _list_undefined_colours(
    recorded_values: Sequence[str], element_values: Sequence[str], selection_values: Sequence[str]
) -> frozenset[str]:
    """Return the names of a selection's colours that must not be compared, because the recorded page does not set them.

    For a colour that a page does not set, Chromium reports the initial colour or, for a button, that of an ancestor;
    this may differ in the replay. If no rule of the page overrides the player's own rule for selections, no colour is
    compared.
    """
    if recorded_values[_GROUND:][:1] == [_CLEAR] and selection_values[_GROUND:][:1] != [_CLEAR]:
        return _TEXT | {"background-color"}
    return _TEXT if element_values[_COLOR:][:1] == selection_values[_COLOR:][:1] else frozenset()


def _iter_style_differences(
    styles: Sequence[str], number: float, values: Sequence[str], part: str = ""
) -> Iterator[tuple[str, str]]:
    row = str(styles[int(number)]).split(";") if 0 <= number < len(styles) else []
    for name, want, have in zip(NAMES, row, values, strict=False):
        if have and not _are_equal_up_to_rounding(want, have):
            yield f"{part}{name}: {want}", have


def _offsets_match(wanted: Sequence[float], found: Sequence[float], is_masked: bool) -> bool:
    """Return whether scroll offsets are as recorded.

    `found`: the replay's two offsets (x, y), then their largest possible values. `is_masked`: accept a shorter page.
    """
    for want, have, most in zip(wanted, found[:2], found[2:], strict=True):
        if abs(want - have) > NEAR and not (
            is_masked and have >= most - NEAR and abs(want - have) <= max(CLAMPED * abs(want), 64)
        ):
            return False
    return True


def _iter_media_differences(wanted: Sequence[float], found: Sequence[float]) -> Iterator[tuple[str, str]]:
    width, height, shows, *age = wanted
    if shows == 0:
        return
    if age:
        yield "what a canvas showed", "what it showed before" + (f", {age[0]:.0f} ms" if math.isfinite(age[0]) else "")
    elif not found[2]:
        yield f"a picture of {_format_pixels((width, height))}", "nothing"
    elif shows == 1 and found[0] and (abs(width - found[0]) > 1 or abs(height - found[1]) > 1):
        yield f"a picture of {_format_pixels((width, height))}", f"one of {_format_pixels(found[:2])}"


def _are_equal_up_to_rounding(want: str, have: str) -> bool:
    """Return whether two CSS values are equal up to rounding of their numbers."""
    if want == have:
        return True
    if _NUMBER.sub("0", want) != _NUMBER.sub("0", have):
        return False
    pairs = zip(map(float, _NUMBER.findall(want)), map(float, _NUMBER.findall(have)), strict=True)
    return all(abs(a - b) <= 0.02 + 0.01 * abs(a) for a, b in pairs)


def _format_pixels(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:g}" for number in numbers[:2])
