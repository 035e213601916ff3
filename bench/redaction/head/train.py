"""Trains the head, a small network over the hidden layers of the model Rampart.

    python -m bench.redaction.head.train --sentences pii_sentences_dev.jsonl --locales LOCALE_FOLDER --packages *.deb

Writes ``redaction/detect/models/head.npz``. Needs PyTorch (``pip install torch``), which the product does not. The features of the words take a quarter of an
hour of CPU time; ``--kept`` keeps them in a file for another training.
"""

from __future__ import annotations

import argparse
import pickle
import random
from pathlib import Path

import numpy as np

from bench.redaction.head.net import THRESHOLDS, describe_errors, export_weights, train_net
from bench.redaction.head.training_texts import read_training_texts, sample_texts
from bench.redaction.head.word_sequences import compute_sequences
from pagereel.redaction.detect.models import rampart_head


def main() -> None:
    """Read the texts, train the head, print what would be found at each threshold, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=Path, required=True, help="the house's sentences, one JSON object a line")
    parser.add_argument("--locales", type=Path, required=True, help="a folder of catalogues: LANGUAGE/LC_MESSAGES/*.mo")
    parser.add_argument("--packages", type=Path, nargs="*", default=[], help="programs whose strings are nobody's")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--kept", type=Path, help="a file in which the words' numbers are kept, and read if it is there"
    )
    parser.add_argument("--out", type=Path, default=Path(rampart_head.__file__).with_name(rampart_head.WEIGHTS))
    parser.add_argument("--most", type=int, help="texts to take by chance, to try the command")
    options = parser.parse_args()
    if options.kept and options.kept.is_file():
        material, rows = pickle.loads(options.kept.read_bytes())
    else:
        material = read_training_texts(
            options.sentences, options.locales, options.packages, random.Random(options.seed)
        )
        material = sample_texts(material, options.most, options.seed)
        rows = compute_sequences(material)
        if options.kept:
            options.kept.write_bytes(pickle.dumps((material, rows), protocol=5))
    print(f"{len(material):,} texts, {len(rows.classes):,} words", flush=True)
    net = train_net(material, rows, options.seed)
    for line in describe_errors(material, rows, net):
        print(line, flush=True)
    weights = {name: values.astype(np.float16) for name, values in export_weights(net).items()}
    np.savez_compressed(options.out, **weights, thresholds=np.array(THRESHOLDS, np.float32))


if __name__ == "__main__":
    main()
