"""Trains the head on Rampart's hidden layers.

    python -m bench.redaction.head.train --sentences pii_sentences_dev.jsonl --locales LOCALE_FOLDER --packages *.deb --weights head.npz

One process of one thread.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np

from bench.redaction.head.layers import Layers
from bench.redaction.head.material import texts
from bench.redaction.head.net import thresholds, trained
from bench.redaction.head.rows import rows_of


def main() -> None:
    """Read the material, train, choose thresholds, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=Path, required=True, help="the house's sentences, one JSON object a line")
    parser.add_argument("--locales", type=Path, required=True, help="a folder of catalogues: LANGUAGE/LC_MESSAGES/*.mo")
    parser.add_argument("--packages", type=Path, nargs="*", default=[], help="programs whose strings are nobody's")
    parser.add_argument("--weights", type=Path, required=True, help="the file to write, .npz")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    material = texts(options.sentences, options.locales, options.packages, random.Random(options.seed))
    rows = rows_of(material, Layers())
    weights = trained(material, rows, options.seed)
    weights["thresholds"] = thresholds(material, rows, weights)
    np.savez(
        options.weights, **{k: v.astype(np.float32 if k == "thresholds" else np.float16) for k, v in weights.items()}
    )


if __name__ == "__main__":
    main()
