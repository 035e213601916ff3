"""Trains the decision trees that say how likely each word is personal data (`redaction/detect/odds.npz`).

    pip install scikit-learn
    python -m bench.redaction.odds --packages *.deb *.whl     # data from PAGEREEL_PII_DATA, else ../shared/data/
    python -m bench.redaction.odds --most 200 --to /tmp/odds.npz    # tries the command

They learn from lines that may be read: `pii_sentences_dev.jsonl` without its held-out third, the read halves of the sets by strangers, our own sentences by language,
and a part of the lines that taught the nets; a third of all lines is in another case of letters. They also learn from strings of interfaces, in which no word
is personal data. Lines that judge the detector are never among them. Values are also learned alone, as cells and segments of paths hold them.

The trees that ship were trained on 42,000 words, with packages of Debian for gnucash, evolution, nautilus and 22 more. Tried without gain: one
verdict for a whole finding (half of what words give), 240 trees with strings that weigh 10 (values of the held-out third were lost), 300 and 400
trees, deeper ones, flat weights; non-personal
words that weigh double, with thresholds that keep the recall of each kind of text (.05 in English, .28 in other
languages, .41 in labels): precision .0003 to .002 better, full mask of the held-out third .981 (.985).
"""

from __future__ import annotations

import argparse
import lzma
import os
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.redaction import by_language, sets
from bench.redaction.__main__ import DEFAULT
from bench.redaction.interfaces import read_strings
from pagereel.redaction.contracts.findings import Finding, TextContext
from pagereel.redaction.detect import detect as detector
from pagereel.redaction.detect import word_odds

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "ru", "ja", "zh", "pl", "sv", "cs", "tr", "ko", "ar")
TAUGHT = {"head": 6_000, "letters": 2_500}
"""Lines of what taught each net that are read here."""
RIGHT, STRING, OF_NETS = 2.0, 4.0, 0.6
"""Weights: of a word that is somebody's, of one of an interface, of one that the nets have learned from. A word that is nobody's weighs as its letters do."""
_CASES = (str, str, str.lower, str.upper)
AT_ONCE = 256
"""Texts that are read at a time."""
LONGEST_ALONE = 40
"""Characters of a value that stands alone, and of a string that is read as a path's segment."""


def iter_training_lines(
    data: Path, packages: Sequence[Path], most: int
) -> Iterator[tuple[float, str, str, list[list[Any]]]]:
    """Yield weight, kind of text, text and spans of each text to learn from: lines, values alone, and strings of interfaces."""
    rows = [(1.0, row) for row in sets.split_held_out(data)[0]]
    rows += [(1.0, row) for name in sets.READ for row in sets.split_read_half(name)[0]]
    rows += [(1.0, row) for code in by_language.LANGUAGES for row in by_language.read_sentences(code)]
    for net, many in TAUGHT.items():
        with lzma.open(Path(__file__).parent / net / "taught.txt.xz", "rt", encoding="utf-8") as file:
            taught = [line for line in file.read().splitlines() if line and not line.startswith("#")]
        rows += [(OF_NETS, row) for row in sets.parse_rows(random.Random(7).sample(taught, many))]
    random.Random(3).shuffle(rows)
    alone: dict[tuple[str, str], float] = {}
    for at, (weight, row) in enumerate(rows[:most]):
        text = _CASES[at % len(_CASES)](row["text"])
        if len(text) == len(row["text"]):
            yield weight, "text", text, row["spans"]
            for start, end, _ in row["spans"] if at % 2 else ():
                if any(map(str.isalpha, text[start:end])) and end - start < LONGEST_ALONE:
                    alone["slug" if at % 8 == 1 else "text", text[start:end]] = weight / 2
    for (kind, text), weight in alone.items():
        said = _make_slug(text) if kind == "slug" else text
        yield weight, kind, said, [[0, len(said), ""]]
    said = dict.fromkeys(text for package in packages for code in LANGUAGES for text in read_strings(package, code, 40))
    for at, text in enumerate(list(said)[:most]):
        yield 0.0, "text", text, []
        if at % 6 == 0 and len(text) < LONGEST_ALONE:
            yield 0.0, "slug", _make_slug(text), []


def _make_slug(text: str) -> str:
    """Return a text in the form in which a segment of a path is read: words in lower case with spaces between them."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


Rows = dict[tuple[int, int], list[float]]
"""Of the words of a text that somebody found something in, the numbers."""


def compute_word_rows(pairs: Sequence[tuple[str, TextContext]]) -> dict[tuple[str, TextContext], Rows]:
    """Return for each text the features of the words in which something is found, by the word's span."""
    seen: dict[tuple[str, TextContext], Rows] = {pair: {} for pair in pairs}

    class RowCollector(word_odds.WordJudge):
        def drop_improbable_words(self, found: Sequence[Finding]) -> list[Finding]:
            rows = seen.get((self._evidence.text, self._evidence.context))
            if rows is not None:
                words = word_odds.WordFeatures(self._evidence)
                new = sorted(
                    {at for f in found if self._is_judged_by_trees(f) for at in words.find_word_spans(f)} - rows.keys()
                )
                rows.update(zip(new, words.compute_feature_rows(new), strict=True))
            return list(found)

    judge, detector.WordJudge = detector.WordJudge, RowCollector  # type: ignore[misc]
    try:
        detector.detect_personal_data(pairs)
    finally:
        detector.WordJudge = judge  # type: ignore[misc]
    return seen


def make_training_rows(training_lines: Iterable[tuple[float, str, str, list[list[Any]]]]) -> tuple[Any, Any, Any]:
    """Return three arrays over all words: features, whether the word is personal data, and its weight."""
    rows, right, weights = [], [], []
    lines = {(text, TextContext(kind=kind)): (weight, spans) for weight, kind, text, spans in training_lines}
    pairs = sorted(lines, key=lambda pair: len(pair[0]))  # texts of like length share a batch
    for first in range(0, len(pairs), AT_ONCE):
        for pair, found in compute_word_rows(pairs[first : first + AT_ONCE]).items():
            (text, _), (weight, spans) = pair, lines[pair]
            own = {at for start, end, _ in spans for at in range(start, end)}
            for (start, end), row in found.items():
                letters = [at for at in range(start, end) if text[at].isalnum()]
                somebodys = sum(at in own for at in letters) * 2 >= len(letters)
                rows.append(row)
                right.append(somebodys)
                weights.append(STRING if not weight else weight * (RIGHT if somebodys else 0.3 + len(letters) / 6))
    return np.array(rows, np.float32), np.array(right), np.array(weights)


def grow_trees(rows: Any, is_personal: Any, weights: Any) -> Any:
    """Train the trees and return the model."""
    from sklearn.ensemble import HistGradientBoostingClassifier  # type: ignore[import-not-found, import-untyped, unused-ignore]

    model = HistGradientBoostingClassifier(
        max_iter=140, learning_rate=0.08, max_leaf_nodes=14, min_samples_leaf=25, l2_regularization=3.0, max_bins=64, early_stopping=False, random_state=0
    )  # fmt: skip
    return model.fit(rows, is_personal, sample_weight=weights)


def export_trees(model: Any) -> dict[str, Any]:
    """Return the trees as the detector reads them: one table of nodes, in which a leaf points to itself."""
    trees = [predictor.nodes for (predictor,) in model._predictors]
    roots = np.cumsum([0, *(len(tree) for tree in trees[:-1])])
    nodes = np.concatenate(trees)
    leaf = nodes["is_leaf"].astype(bool)
    itself, root = np.arange(len(nodes)), np.repeat(roots, [len(tree) for tree in trees])
    return {
        "roots": roots.astype(np.uint16),
        "first": np.float32(model._baseline_prediction.ravel()[0]),
        "feature": np.where(leaf, 0, nodes["feature_idx"]).astype(np.uint8),
        "least": np.where(leaf, 0, nodes["num_threshold"]).astype(np.float32),
        "left": np.where(leaf, itself, root + nodes["left"]).astype(np.uint16),
        "right": np.where(leaf, itself, root + nodes["right"]).astype(np.uint16),
        "value": np.where(leaf, nodes["value"], 0).astype(np.float32),
        "deepest": np.uint8(nodes["depth"].max()),
    }


def main() -> None:
    """Train the trees, and write them to a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path(os.environ.get("PAGEREEL_PII_DATA", DEFAULT)))
    parser.add_argument(
        "--packages",
        type=Path,
        nargs="*",
        default=[],
        help="programs whose strings are nobody's; none of those that judge",
    )
    parser.add_argument("--most", type=int, default=1_000_000, help="lines, and strings")
    parser.add_argument("--to", type=Path, default=Path(word_odds.__file__).with_name(word_odds.WEIGHTS))
    options = parser.parse_args()
    rows, right, weights = make_training_rows(iter_training_lines(options.data, options.packages, options.most))
    print(f"{len(rows):,} words, {right.mean():.2f} of them somebody's")
    np.savez_compressed(options.to, **export_trees(grow_trees(rows, right, weights)))


if __name__ == "__main__":
    main()
