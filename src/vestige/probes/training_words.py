"""Encoders that are means of word vectors remember which words stood together, and not which sentences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.attacks.membership.neighbours import neighbours
from vestige.attacks.membership.words import WordMembership
from vestige.case.case import Training
from vestige.case.settings import Settings
from vestige.encoders.learned import Learned
from vestige.encoders.words.word_mean import WordMean
from vestige.encoders.wrapper import Wrapper
from vestige.probes.training_told import Told
from vestige.text.corpus import Corpus
from vestige.text.windows import Windows
from vestige.text.words import words
from vestige.types import Encoder, Flags, Floats, Integers, Progress

WIDTH = 5


def is_mean_of_words(encoder: Encoder) -> bool:
    """Whether the vector of one word, which anyone can ask for, is what was learned of it."""
    if isinstance(encoder, Wrapper):
        return is_mean_of_words(encoder.encoder)
    return isinstance(encoder.fitted() if isinstance(encoder, Learned) else encoder, WordMean)


@dataclass(frozen=True)
class NearWords:
    """How near to one another the words of a window are: the sum over the windows of a sentence, and their number."""

    sums: Floats
    windows: Floats

    def told(self, training: Training) -> Told:
        """Of what is asked; known documents say whether words that learned together lie nearer, or farther apart."""
        known, asked = training.known, ~training.known
        sign = 1 if self.told_apart(training) >= 0.5 else -1
        names = _of(training, asked)
        rows, owners = neighbours(names), _numbers(names)
        sums, windows = sign * self.sums[asked], self.windows[asked]
        nothing = sign * self.sums[known].sum() / max(self.windows[known].sum(), 1)
        return Told.of(
            _means(sums[rows] + sums[rows + 1], windows[rows] + windows[rows + 1], nothing),
            _means(_summed(owners, sums), _summed(owners, windows), nothing),
            training,
        )

    def told_apart(self, training: Training) -> float:
        """The area under the curve on the documents that the stranger knows of."""
        from sklearn.metrics import roc_auc_score

        known = training.known
        names = _of(training, known)
        owners = _numbers(names)
        scores = _means(_summed(owners, self.sums[known]), _summed(owners, self.windows[known]), 0.0)
        flags = dict(zip(names, training.members[known].tolist(), strict=True))
        return float(roc_auc_score(list(flags.values()), scores))


def near_words(encoder: Encoder, sentences: Corpus, settings: Settings, progress: Progress) -> NearWords | None:
    """Ask for the vector of every word, frequent ones first; None where no window has two words with a vector."""
    counted = Counter(word for text in sentences.texts for word in words(text))
    lexicon = [word for word, _ in counted.most_common()]
    windows, vectors = Windows.of(sentences, lexicon, WIDTH), encoder.encode(lexicon, progress=progress)
    there: Flags = np.asarray(vectors.any(axis=1))
    if not (there[windows.centres] & (there[windows.ids].sum(axis=1) > 1)).any():
        return None
    known = [word for word, has in zip(lexicon, there, strict=True) if has]
    attack = WordMembership(recipe="song" if settings.recipe == "paper" else "default").fit((known, vectors[there]))
    scores = attack.infer(windows.words).scores
    return NearWords(
        _summed(windows.texts, scores, rows=len(sentences)),
        _summed(windows.texts, np.ones(len(windows)), rows=len(sentences)),
    )


def _of(training: Training, chosen: Flags) -> list[str]:
    return [name for name, keep in zip(training.sentences.documents, chosen, strict=True) if keep]


def _numbers(names: Sequence[str]) -> Integers:
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([place[name] for name in names], dtype=np.int64)


def _summed(owners: Integers, values: Floats, rows: int = 0) -> Floats:
    return np.bincount(owners, weights=values, minlength=rows).astype(np.float64)


def _means(sums: Floats, counts: Floats, nothing: float) -> Floats:
    """Where there is no window, what says `nothing`."""
    return np.where(counts > 0, sums / np.maximum(counts, 1), nothing)
