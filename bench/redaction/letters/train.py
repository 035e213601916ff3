"""Trains the net of letters, which finds personal data character by character in scripts other than Latin.

    python -m bench.redaction.letters.train --lists pools.json --locales LOCALE_FOLDER --packages *.deb

Writes ``redaction/detect/models/letters.npz``. Needs PyTorch (``pip install torch``), which the product does not.
"""

from __future__ import annotations

import argparse
import pickle
import random
from pathlib import Path

import numpy as np
import torch

from bench.redaction.head.training_texts import sample_texts
from bench.redaction.letters.net import ROUNDS, THRESHOLDS, describe_found, export_weights, make_row, train_net
from bench.redaction.letters.training_texts import read_training_texts
from pagereel.redaction.detect.cues.non_latin_names import find_non_latin_people
from pagereel.redaction.detect.cues.spaced_scripts import look_up_in_name_lists
from pagereel.redaction.detect.models import character_net
from pagereel.redaction.detect.models.character_features import WORD


def main() -> None:
    """Read the texts, train the net, write its weights, and print what they find in the texts that were kept back."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", type=Path, required=True, help="names and places by language and kind, as JSON")
    parser.add_argument("--locales", type=Path, required=True, help="a folder of catalogues: LANGUAGE/LC_MESSAGES/*.mo")
    parser.add_argument("--packages", type=Path, nargs="*", default=[], help="programs whose strings are nobody's")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--out", type=Path, default=Path(character_net.__file__).with_name(character_net.WEIGHTS))
    parser.add_argument(
        "--kept", type=Path, help="a file in which the texts' numbers are kept, and read if it is there"
    )
    parser.add_argument("--again", type=Path, help="weights to begin with")
    parser.add_argument("--most", type=int, help="texts to take by chance, to try the command")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.kept and options.kept.is_file():
        material, rows = pickle.loads(options.kept.read_bytes())
    else:
        material = read_training_texts(options.lists, options.locales, options.packages, random.Random(options.seed))
        material = sample_texts(material, options.most, options.seed)
        rows = [make_row(t) for t in material if not t.kept_back]
        if options.kept:
            options.kept.write_bytes(pickle.dumps((material, rows), protocol=5))
    taught = [t for t in material if not t.kept_back]
    print(
        f"{len(rows):,} texts, {sum(len(r.classes) for r in rows):,} characters, {sum(not t.spans for t in taught):,} texts of nobody's",
        flush=True,
    )
    begun_with = dict(np.load(options.again)) if options.again else None
    net = train_net(rows, options.seed, options.rounds, begun_with)
    np.savez_compressed(options.out, **export_weights(net), thresholds=np.array(THRESHOLDS, np.float32))
    back = [t for t in material if t.kept_back]
    character_net.WEIGHTS = str(options.out)
    read = character_net.CharacterNet(look_up_in_name_lists)
    odds = (
        read.compute_probabilities(t.text, list(WORD.finditer(t.text)), find_non_latin_people(t.text)) for t in back
    )
    for line in describe_found(back, odds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
