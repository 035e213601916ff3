"""Restores the recorded page events from those of a replay, by undoing what the build added to their ops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from pagereel.reel import (
    BUILT_OPS,
    PI,
    PLACEHOLDER,
    TEXT,
    DocumentModel,
    Event,
    Json,
    Node,
    PageModel,
    absolute,
    base_of,
    candidates,
)

from . import sheets
from .resources import PackedResources

_SHORT: Final = "pagereel-"
"""Prefix of short addresses in a compact file: ``data:image/png,pagereel-5`` is resource 5."""


class ReplayPages:
    """The converter of a replay's page events. It must receive them in order of time."""

    def __init__(self, resources: PackedResources) -> None:
        self.resources = resources
        self.model = PageModel()
        self._known: dict[tuple[int, str], str] = {}
        """(page, address) → the resource that it last referred to."""
        self._bases: dict[int, tuple[str, bool]] = {}
        """Document → the base of its relative addresses, and whether a ``<base>`` sets it."""
        self._restored: set[int] = set()
        """Documents whose long addresses were restored."""

    def recorded(self, event: Event) -> Iterator[Event]:
        """Yield the resources at the addresses in an event, then the event as it was recorded."""
        kind = event["k"]
        if kind not in ("snapshot", "mutation"):
            self.model.apply(event)
            if kind == "location":
                self._bases.clear()
            yield self._checkpoint(event) if kind == "checkpoint" else event
            return
        ops = cast("list[list[Any]]", event["ops"])
        document = self.model.documents.get(cast(int, event["d"]))
        out: list[Json] = []
        trees: list[list[Any]] = []
        for op in ops:
            plain = self._op(op, document)
            if plain is not None:
                out.append(cast(Json, plain))
            if op[0] in BUILT_OPS or op[0] == "sheet":
                trees.append(op)
        done = {**event, "ops": out}
        self.model.apply(done)
        if any(self._moves_base(op, document) for op in ops):
            self._bases.clear()
        if document is not None:
            found: dict[str, str] = {}
            for op in trees:
                found.update(self._report(document, op))
            for url, body in found.items():
                if self._known.get((document.page, url)) != body:
                    self._known[document.page, url] = body
                    yield {"k": "alias", "t": event["t"], "page": document.page, "url": url, "body": body}
            yield from self.resources.pending(float(cast(float, event["t"])))
        yield done

    def _checkpoint(self, event: Event) -> Event:
        """Return a checkpoint with the digest of the restored document."""
        done = {name: value for name, value in event.items() if name != "cleaned"}
        document = self.model.documents.get(cast(int, event["d"]))
        if document is not None and document.d in self._restored:
            done["digest"], done["nodes"] = document.digest()
        return done

    # -- ops --

    def _op(self, op: list[Any], document: DocumentModel | None) -> list[Any] | None:
        """Return an op without the build's additions; None for an op that the build added."""
        name = op[0]
        if name == "shown":
            still = self._still(op, document)
            return None if still is None else ["canvas", op[1], still, 0, 0]
        if name in BUILT_OPS:
            return None
        if name == "canvas" and str(op[2]).startswith(PLACEHOLDER):
            return [*op[:2], self.resources.sha256(op[2]) or "", *op[3:]]
        if name == "sheet" and len(op) > 4:
            options = {key: value for key, value in op[4].items() if key != "css"}
            return [*op[:4], options] if options else op[:4]
        if name in ("doc", "add", "attr", "src") and document is not None and self.resources.short:
            return self._long(op, document)
        return op

    def _still(self, op: list[Any], document: DocumentModel | None) -> str | None:
        """Return the SHA-256 of the picture that a video showed, if a ``shown`` op names a new one; else None."""
        node = document.nodes.get(op[1]) if document is not None and len(op) > 2 and type(op[1]) is int else None
        poster = op[2].get("poster") if node is not None and node.name == "video" and type(op[2]) is dict else None
        sha256 = self.resources.sha256(poster)
        known = (node.state or {}).get("canvas") if node is not None else None
        return None if isinstance(known, list) and known[0] == sha256 else sha256

    def _long(self, op: list[Any], document: DocumentModel) -> list[Any]:
        """Return an op with its shortened addresses replaced by the original long ones."""

        def full(value: Any) -> Any:
            if type(value) is not str or not value.startswith("data:") or f",{_SHORT}" not in value[:200]:
                return value
            address = self.resources.address(PLACEHOLDER + value.partition(f",{_SHORT}")[2])
            if address is None:
                return value
            self._restored.add(document.d)
            return address

        def walked(value: Any) -> Any:
            if type(value) is list:
                return [walked(item) for item in value]
            if type(value) is dict:
                return {name: full(item) for name, item in value.items()}
            return value

        return [op[0], op[1], full(op[2])] if op[0] == "src" and len(op) > 2 else [walked(item) for item in op]

    # -- the resources of addresses --

    def _base(self, document: DocumentModel) -> str:
        if document.url.startswith("about:"):
            return base_of(self.model, document)
        known = self._bases.get(document.d)
        if known is None:
            own = any(node.name == "base" for node in document.walk())
            known = self._bases[document.d] = base_of(self.model, document), own
        return known[0]

    def _moves_base(self, op: list[Any], document: DocumentModel | None) -> bool:
        """Return whether an op may change the base of a document's relative addresses."""
        if op[0] == "add":
            return _holds_base(op[3:])
        known = self._bases.get(document.d) if document is not None else None
        return op[0] == "doc" or (known is not None and known[1] and op[0] in ("attr", "move", "del"))

    def _report(self, document: DocumentModel, op: list[Any]) -> Iterator[tuple[str, str]]:
        """Yield each full address to which an op assigns a resource, and the resource's SHA-256."""
        name, node = op[0], document.nodes.get(op[1]) if len(op) > 1 and type(op[1]) is int else None
        if name == "sheet":
            css = op[4].get("css") if len(op) > 4 else None
            if type(css) is str:
                yield from self._sheet(op[3], css, self._owner_base(document, op[2]))
        elif node is None or len(op) < 3:
            return
        elif name == "css" and node.kind == TEXT and type(op[2]) is str:
            yield from self._sheet(node.data, op[2], self._base(document))
        elif name == "shown" and type(op[2]) is dict:
            for attribute, value in op[2].items():
                if type(value) is str and PLACEHOLDER in value:
                    yield from self._attribute(document, node, attribute, value)

    def _attribute(self, document: DocumentModel, node: Node, attribute: str, value: str) -> Iterator[tuple[str, str]]:
        if node.kind == PI:
            yield from self._pair(str((node.state or {}).get("src") or ""), value, "")
            return
        recorded, base = node.attrs.get(attribute), self._base(document)
        if recorded is None:
            return
        if attribute == "style":
            yield from self._sheet(recorded, value, base)
        elif attribute == "srcset":
            stands, _, descriptor = value.partition(" ")
            yield from self._pair(_candidate(node, recorded, descriptor, base), stands, base)
        elif attribute == "src" and node.name == "img" and "srcset" not in node.attrs:
            yield from self._pair(_chosen(node) or recorded, value, base)
        else:
            yield from self._pair(recorded, value, base)

    def _pair(self, address: str, placeholder: str, base: str) -> Iterator[tuple[str, str]]:
        sha256 = self.resources.sha256(placeholder)
        if sha256 is not None and address and address.strip()[:5].lower() != "data:":
            yield absolute(base, address).partition("#")[0], sha256

    def _sheet(self, recorded: str, css: str, base: str) -> Iterator[tuple[str, str]]:
        for address, stands in sheets.pairs(recorded, css):
            if stands.startswith(PLACEHOLDER):
                yield from self._pair(address, stands, base)
            else:
                yield (
                    absolute(base, address).partition("#")[0],
                    self.resources.sheet(sheets.undone(stands, self.resources.placeholder_address)),
                )

    def _owner_base(self, document: DocumentModel, owner: Json) -> str:
        node = document.nodes.get(owner) if isinstance(owner, int) else None
        base = self._base(document)
        if node is not None and node.kind == PI and node.state is not None:
            return str(node.state.get("src") or base)
        return (
            absolute(base, node.attrs["href"])
            if node is not None and node.name == "link" and "href" in node.attrs
            else base
        )


def _chosen(node: Node) -> str:
    """Return the address that an image chose among those in its markup; "" if it is unknown."""
    value = node.state.get("src") if node.state is not None else None
    return value if isinstance(value, str) else ""


def _candidate(node: Node, srcset: str, descriptor: str, base: str) -> str:
    """Return the address in a ``srcset`` whose image was shown."""
    image: Node | None = node
    if node.name == "source" and node.parent is not None:
        image = next((child for child in node.parent.children if child.name == "img"), None)
    chosen = _chosen(image) if image is not None else ""
    options = candidates(srcset)
    for address, _ in options:
        if chosen and absolute(base, address) == chosen:
            return address
    return next((address for address, said in options if said == descriptor.strip()), "")


def _holds_base(trees: list[Any]) -> bool:
    stack = list(trees)
    while stack:
        item = stack.pop()
        if type(item) is list:
            if item[0] == "base":
                return True
            stack += item[2:]
    return False
