"""Trains the head on Rampart's hidden layers.

    python -m bench.redaction.head.train --sentences pii_sentences_dev.jsonl --locales LOCALE_FOLDER --packages *.deb

Writes ``redaction/detect/head/head.npz``. One process of one thread: five minutes of processor time for the features, half a minute for the net.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np

from bench.redaction.head.material import texts
from bench.redaction.head.net import THRESHOLDS, touched, trained
from bench.redaction.head.rows import rows_of
from pagereel.redaction.detect.head import head
from pagereel.redaction.detect.rampart import Rampart, model_folder


def main() -> None:
    """Read the material, train, choose thresholds, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=Path, required=True, help="the house's sentences, one JSON object a line")
    parser.add_argument("--locales", type=Path, required=True, help="a folder of catalogues: LANGUAGE/LC_MESSAGES/*.mo")
    parser.add_argument("--packages", type=Path, nargs="*", default=[], help="programs whose strings are nobody's")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    folder = model_folder()
    if folder is None:
        parser.error("Rampart is not installed: pagereel setup")
    material = texts(options.sentences, options.locales, options.packages, random.Random(options.seed))
    rows = rows_of(material, Rampart(folder))
    weights = trained(material, rows, options.seed)
    print("of strings of programs kept back it takes", touched(material, rows, weights))
    stored = {name: values.astype(np.float16) for name, values in weights.items()}
    np.savez_compressed(
        Path(head.__file__).with_name(head.WEIGHTS), **stored, thresholds=np.array(THRESHOLDS, np.float32)
    )


if __name__ == "__main__":
    main()
