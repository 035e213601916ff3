"""Writes checkpoints: compares the model of a document with the page, by the page's digest."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from pagereel.reel import Event, PageModel

from .element_start_tags import ElementStartTags
from .line_difference import describe_first_difference
from .resources import ResourceStore
from .script_requests import CommandRations, ScriptCommand, TakeCheckpointPictureCommand, TakeSnapshotCommand
from .script_source import ScriptSource
from .writer_thread import WriterThread


@dataclass(slots=True)
class TrackedDocument:
    """A recorded document: its number, its source, and the facts about it that are not in its page model."""

    number: int
    key: str
    source: ScriptSource
    heads: ElementStartTags = field(default_factory=ElementStartTags)
    n: int = 0
    began: float = 0.0
    snapshot: float = 0.0
    """When the document began (`began`), and its last snapshot, in ms on the recording's clock."""
    blank: bool = False
    """A new page's empty document: a late start misses nothing."""
    short: bool = False
    """The document is too large for the model, and a gap says so: no snapshot can repair that."""
    broken: bool = False
    """The model missed something; a fresh snapshot has been requested."""
    rations: CommandRations = field(default_factory=CommandRations)


class DocumentCheckpoints:
    """The checkpoints of all documents. Runs on the writer thread."""

    def __init__(
        self,
        writer: WriterThread,
        model: PageModel,
        resources: ResourceStore,
        ask: Callable[[TrackedDocument, ScriptCommand], bool],
    ) -> None:
        """``ask``: makes a request within a document's ration, and returns whether it was made."""
        self._writer = writer
        self._model = model
        self._resources = resources
        self._ask = ask
        self.pictures = False
        """Whether a picture is wanted at each checkpoint of a page's main document."""
        self.count = 0
        self.equal = 0

    def write_checkpoint(self, document: TrackedDocument, event: Event) -> None:
        """Write a checkpoint that says whether the page model equals the page; if it does not, request a new snapshot
        from the page.
        """
        model = self._model.documents.get(document.number)
        equal = model is not None and model.compute_digest() == (event.get("digest"), event.get("nodes"))
        event["equal"] = equal
        self._writer.write_event(event)
        self.count += 1
        if equal:
            self.equal += 1
            if self.pictures and document.source.top:
                self._ask(document, TakeCheckpointPictureCommand(cast(int, event["n"]), cast(float, event["t"])))
        elif not document.broken and not document.short:
            document.broken = self._ask(document, TakeSnapshotCommand(lines=True))

    def store_checkpoint_picture(self, document: TrackedDocument, n: int, t: float, base64: str) -> None:
        """Store the picture of the page right after the checkpoint with number ``n``, unless the page has changed
        since.
        """
        if document.n != n + 1:
            return
        body, why = self._resources.store_content(b64decode(base64), "image/png")
        if body is None:
            self._writer.write_gap(why, {"d": document.number, "detail": "a picture at a checkpoint"})
            return
        self._writer.write_event(
            {"k": "picture", "t": t, "d": document.number, "page": document.source.page, "body": body}
        )

    def write_first_difference(self, document: TrackedDocument, lines: str) -> None:
        """Write the first difference between the page's canonical lines and the model's, after a checkpoint that was
        not equal.
        """
        model = self._model.documents.get(document.number)
        if model is None:
            return
        ours = "".join(model.iter_canonical_lines()).split("\n")
        detail = describe_first_difference(lines.split("\n"), ours)
        fields: Event = {
            "d": document.number,
            "page": document.source.page,
            "detail": detail or "none any more: it healed by itself",
        }
        self._writer.write_gap("tree", fields)
