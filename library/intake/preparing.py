"""Prepares a recording for a library: hashes, masks and indexes it, in any process or on another machine."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pagereel.errors import PagereelError, UsageError
from pagereel.redaction import is_masked_by_policy, redact
from pagereel.reel import ReelWriter, SharedResourceFolder, pick_header_fields, remote_stores
from pagereel.sources import open_any

from ..audit_log import ID
from ..recording_store import IN_USE, RECORDINGS, RecordingStore, get_copy_suffix
from ..run_facts import IndexedRunFacts, read_run_facts

_BLOCK: Final = 1 << 20


@dataclass(frozen=True)
class IntakeJob:
    """The job to prepare one recording, which can run on any machine.

    `source`: its path, or an address that fsspec knows. `index`: the policy under which it is masked before it is
    indexed. `scratch`: a temporary folder for its files; None: they are written to the library's store.
    """

    source: str
    folder: str
    index: str | None
    store: str | None = None
    scratch: str | None = None
    link: bool = False
    masked: bool = False

    def run(self) -> PreparedRecording:
        """Prepare the recording. Never raises: an error is part of the result."""
        try:
            return prepare_recording(self)
        except PagereelError as error:
            return self.failed(str(error))
        except Exception as error:  # the failure of one job must not stop the others
            return self.failed(f"{self.source}: an error of pagereel's own ({type(error).__name__}: {error}).")

    def failed(self, error: str) -> PreparedRecording:
        """Return the result, with this error, for a job whose process died."""
        return PreparedRecording(self.source, error=error)


@dataclass(frozen=True)
class PreparedRecording:
    """The result of preparing a recording, or the error.

    `files`: pairs of a temporary file's path and its name in the library; empty where the files were written to the
    store.
    """

    source: str
    id: str = ""
    sha256: str = ""
    place: str = ""
    indexed: str = ""
    files: tuple[tuple[str, str], ...] = ()
    facts: IndexedRunFacts | None = None
    error: str | None = None


def prepare_recording(job: IntakeJob) -> PreparedRecording:
    """Hash, mask and index a recording.

    :raises ReelError: it is no recording, or cannot be read; LockedError: its key is not given.
    :raises UsageError: there is no policy to mask it with, it changed meanwhile, or the library cannot be written.
    """
    places = RecordingStore(Path(job.folder), job.store)
    with ExitStack() as stack:
        source = stack.enter_context(remote_stores.open_local_copy(job.source))
        scratch = Path(job.scratch or stack.enter_context(tempfile.TemporaryDirectory(prefix="pagereel-")))
        id, sha256 = read_recording_identity(source)
        token = secrets.token_hex(8)
        place = (
            _get_absolute_source(job)
            if job.link
            else places.get_recording_name(id, get_copy_suffix(job.source), sha256)
        )
        taken = PreparedRecording(job.source, id, sha256, place, place)
        files: list[tuple[str, str]] = []
        looked = source
        try:
            if job.index is not None and not is_masked_by_policy(source, job.index):
                looked = scratch / f"{token}.masked.reel"
                redact(source, looked, job.index, on_leak="drop")
                taken = replace(taken, indexed=places.get_masked_name(id, sha256))
                files.append((str(looked), taken.indexed))
            if job.masked and looked != source:
                taken = replace(taken, place=taken.indexed)
            elif not job.link:
                copy = scratch / f"{token}{get_copy_suffix(job.source)}"
                _copy_recording(source, copy, sha256, places)
                files.append((str(copy), place))
            taken = replace(taken, facts=read_run_facts(looked))
        except OSError as error:
            raise UsageError(f"{job.source} cannot be added: {error.strerror or error}.") from None
        if job.scratch is None:
            for made, name in files:
                places.move_into_place(Path(made), name)
            files = []
        return replace(taken, files=tuple(files))


def read_recording_identity(path: Path) -> tuple[str, str]:
    """Return a recording's id, and the SHA-256 of its file. A recording without an id gets the hash's first half as id.
    Raises ReelError.
    """
    with open_any(path) as reel:
        own = reel.header.get("id")
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return own if isinstance(own, str) and ID.fullmatch(own) else sha256[:32], sha256


def _get_absolute_source(job: IntakeJob) -> str:
    return job.source if remote_stores.is_url(job.source) else str(Path(job.source).resolve())


def _copy_recording(source: Path, target: Path, sha256: str, places: RecordingStore) -> None:
    """Copy a recording and its shared resources, readable by this user alone. Raises UsageError where the source was
    written to during the copy.
    """
    shared = _list_shared_resources(source)
    if shared and places.store:
        _write_self_contained_copy(source, target)
        return
    with (
        os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
        source.open("rb") as read,
    ):
        shutil.copyfileobj(read, file, _BLOCK)
    with target.open("rb") as copy:
        if hashlib.file_digest(copy, "sha256").hexdigest() != sha256:
            raise UsageError(f"{source} changed while it was read; add it when the recording has ended.")
    beside, ours = SharedResourceFolder(source.parent), SharedResourceFolder(places.folder / RECORDINGS)
    if shared:
        target.with_suffix(IN_USE).write_text("\n".join(shared))
    for each in shared:
        if (content := beside.read_content(each)) is not None:
            ours.store_content(each, content)


def _list_shared_resources(source: Path) -> list[str]:
    with open_any(source) as reel:
        return list(dict.fromkeys(reel.list_shared_resources()))


def _write_self_contained_copy(source: Path, target: Path) -> None:
    """Write a copy of a recording that contains its shared resources, for a store, which has no place for shared
    ones.
    """
    with open_any(source) as reel:
        header = pick_header_fields(reel.header)
        with ReelWriter(target, header, flush_ms=60_000, encrypt_to=reel.encrypt_to or None) as writer:
            for event in reel.events():
                if event["k"] not in ("reel", "end"):
                    writer.write({name: value for name, value in event.items() if name != "shared"})
            writer.close(reel.reason)
