"""Ask the detector about many texts, in two processes, and survive its failures.

Measured: two forked workers, each with all models, are twice as fast as one. spaCy's own ``n_process`` is slower than
one process, because it moves documents between processes. The models are loaded before the fork, so that the processes
share the memory.

If the detector fails at a text, the whole text is masked as one secret: a single text must neither end the build nor
stay unmasked. A failure of the user's own recognizers does end the build, with an error.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from pagereel.errors import PagereelError
from pagereel.processes import end_process_with_parent

from ..contracts.findings import PAST, Contexts, Finding, TextContext
from ..contracts.required_packages import require_packages
from ..words.spacy_pipelines import load_pipeline_for_foreign_texts
from . import detect
from .cross_text.joint_filters import drop_findings_by_other_texts
from .cues import dictionaries
from .filters.findings_cache import FindingsCache
from .models import presidio, rampart
from .user_recognizers import UserRecognizers

WORKERS_VARIABLE = "PAGEREEL_REDACTION_WORKERS"
"""Environment variable for the number of processes. Set it to 1 if several redactions run at once."""
WORKERS = 2
ENOUGH = 1_500
"""Least number of different texts for which two workers are faster than one process."""
CHUNK = 256

UNREAD: Final = "SECRET"
"""The entity of a text at which the detector failed: no policy allows it."""
_NOT_OF_A_TEXT: Final = (PagereelError, MemoryError, OSError, ImportError)
"""Errors of the set-up or the machine: every text would raise them."""

Pair = tuple[str, TextContext]
DetectionResult = tuple[list[list[Finding]], dict[int, str]]
"""For each text its findings; and for those that could not be read, by their index, where it failed."""

_findings_cache = FindingsCache()

Progress = Callable[[int, int], None]
"""Called with the number of texts that are done and the number of all texts."""


def find_personal_data_in_processes(
    texts: Sequence[str],
    context: Contexts | None = None,
    progress: Progress | None = None,
    recognizers: UserRecognizers = detect.NONE,
    failure_places: list[str] | None = None,
) -> list[list[Finding]]:
    """Return for each text the findings that the redaction would mask in page text, in order, without overlap; in two processes if that is faster.

    :param context: for each text what stands beside it: a label, column header, JSON key (see :class:`TextContext`).

    :param recognizers: the user's recognizers.
    :param failure_places: a list to which one entry is added for each text that could not be read: the exception's class and
        line if the detector failed at the text (the whole text is then one finding, see :func:`detect_or_mask_whole`),
        or ``past`` if the text is longer than the limit.
    """
    require_packages()
    contexts = [detect.to_text_context(c) for c in context] if context is not None else [TextContext()] * len(texts)
    if len(contexts) != len(texts):
        raise ValueError(
            f"find_pii got {len(texts)} texts and {len(contexts)} contexts; give one for each text or none."
        )
    keys = list(zip(texts, contexts, strict=True))
    # Texts of similar length share a batch: padding costs time.
    unique = sorted(dict.fromkeys(keys), key=lambda k: len(k[0]))
    found = {} if recognizers else _findings_cache.find_cached(unique)
    asked = [pair for pair in unique if pair not in found]
    chunks = [asked[i : i + CHUNK] for i in range(0, len(asked), CHUNK)]
    unreadable: dict[Pair, str] = {}
    for chunk, (results, faults) in _detect_in_chunks(chunks, len(asked), recognizers):
        found.update(zip(chunk, results, strict=True))
        unreadable.update({chunk[index]: where for index, where in faults.items()})
        if not recognizers and not faults:  # a failure must be reported each time
            _findings_cache.store(chunk, results)
        if progress:
            progress(len(found), len(unique))
    order = list(dict.fromkeys(keys))
    past = {pair: rest for pair, findings in found.items() for rest in findings if rest.source == PAST}
    found = drop_findings_by_other_texts(order, [found[key] for key in order])
    found.update(
        {pair: build_unread_text_finding(pair[0]) for pair in unreadable}
    )  # whatever the findings in other texts
    found.update(
        {
            pair: [*(f for f in found[pair] if f.end <= rest.start), rest._replace(source="")]
            for pair, rest in past.items()
        }
    )
    if failure_places is not None:
        failure_places.extend({text: where for (text, _), where in unreadable.items()}.values())
        failure_places.extend({text: PAST for text, _ in past}.values())
    return [found[key] for key in keys]


def _detect_in_chunks(
    chunks: list[list[Pair]], text_count: int, recognizers: UserRecognizers
) -> Iterator[tuple[list[Pair], DetectionResult]]:
    if not chunks:
        return
    load_all_models()
    workers = int(os.environ.get(WORKERS_VARIABLE) or WORKERS)
    if text_count < ENOUGH or workers < 2 or not _may_fork():
        for chunk in chunks:
            yield chunk, detect_or_mask_whole(chunk, recognizers)
        return
    dictionaries.load_dictionaries_for(text for chunk in chunks for text, _ in chunk)
    # Long texts first, so that the last chunk is a short one.
    with multiprocessing.get_context("fork").Pool(workers, _start_worker, (recognizers,)) as pool:
        order = list(reversed(chunks))
        yield from zip(order, pool.imap(_detect_in_worker, order), strict=True)


def detect_or_mask_whole(pairs: Sequence[Pair], recognizers: UserRecognizers = detect.NONE) -> DetectionResult:
    """Return the findings of :func:`detect.detect_personal_data`, and the texts at which it failed, by index.

    The detector reads the texts of a batch together, so a failing text is found by halving the batch.
    """
    try:
        return detect.detect_personal_data(pairs, recognizers), {}
    except _NOT_OF_A_TEXT:
        raise
    except Exception as fault:  # whatever it is, it must neither end the build nor let the text through
        if len(pairs) == 1:
            return [build_unread_text_finding(pairs[0][0])], {0: _describe_exception_place(fault)}
    half = len(pairs) // 2
    first, failed = detect_or_mask_whole(pairs[:half], recognizers)
    second, later = detect_or_mask_whole(pairs[half:], recognizers)
    return first + second, failed | {half + index: where for index, where in later.items()}


def build_unread_text_finding(text: str) -> list[Finding]:
    """Return one finding of the whole text, which the detector failed to read."""
    return [Finding(0, len(text), UNREAD, 1.0)] if text else []


def _describe_exception_place(fault: BaseException) -> str:
    """Return an exception's class and the line that raised it, without its message, which may quote the text."""
    at = fault.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f" in {Path(at.tb_frame.f_code.co_filename).name}, line {at.tb_lineno}" if at is not None else ""
    return f"{type(fault).__name__}{place}"


def describe_failures(failed: Iterable[str]) -> str:
    """Return a sentence for the user: how many texts could not be read and where the detector failed, and how many
    were too long. Empty without such texts.
    """
    counts = Counter(failed)
    long, told = counts.pop(PAST, 0), []
    if many := counts.total():
        texts = "1 text, which is masked whole" if many == 1 else f"{many:,} texts, which are masked whole"
        told.append(
            f"The detector failed at {texts} ({'; '.join(sorted(counts))}): a fault of pagereel's own, please report it."
        )
    if long:
        texts = "1 text is longer" if long == 1 else f"{long:,} texts are longer"
        told.append(
            f"{texts} than what is looked through of one ({detect.MOST_READ:,} characters): what comes after that is masked whole."
        )
    return " ".join(told)


_own = detect.NONE
"""In a worker: the user's recognizers. They come with the fork, because not every recognizer can be pickled."""


def _start_worker(recognizers: UserRecognizers) -> None:
    global _own
    _own = recognizers
    end_process_with_parent()


def _detect_in_worker(chunk: list[Pair]) -> DetectionResult:
    return detect_or_mask_whole(chunk, _own)


def load_all_models() -> None:
    """Load every model now.

    :raises SetupError: no spaCy pipeline is installed.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    _load_models_without_gc()


@lru_cache(maxsize=1)
def _load_models_without_gc() -> None:
    """Load the models with garbage collection off, and exempt their objects from it: visiting them costs time, and in
    a worker copies the shared memory.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        presidio.load_analyzer()
        load_pipeline_for_foreign_texts()
        rampart.load_rampart()
        gc.freeze()
    finally:
        if collects:
            gc.enable()


def _may_fork() -> bool:
    """Return whether a fork is safe and useful. With other threads alive it could copy a held lock."""
    return (
        "fork" in multiprocessing.get_all_start_methods()
        and threading.active_count() == 1
        and (os.cpu_count() or 1) > 1
    )
