"""Labels that say nothing: what is told by who was told the wrong membership."""

from dataclasses import replace

import numpy as np

from vestige.case.case import Training


def mislabelled(training: Training, rng: np.random.Generator) -> Training:
    """Of the documents that the stranger knows of, half of either side, at random, are called members.

    The truth of those it asks about stays as it is, and scores the attack that learned from such labels.
    """
    names = np.array(training.sentences.documents)
    members = training.members.copy()
    for side in (True, False):
        some = list(dict.fromkeys(names[training.known & (training.members == side)].tolist()))
        for turn, place in enumerate(rng.permutation(len(some))):
            members[names == some[place]] = turn % 2 == 0
    return replace(training, members=members)
