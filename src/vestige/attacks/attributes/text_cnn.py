"""The published reader of raw text: a convolutional network over words (Kim 2014), without an encoder."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from vestige.attacks.attributes.labels import as_labels
from vestige.attacks.attributes.published import BATCH, EPOCHS, RATE
from vestige.attacks.checks import check_floor
from vestige.errors import NotFitted
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import words
from vestige.types import Integers, LabelGuesses, Progress, silent

if TYPE_CHECKING:
    from torch import Tensor

FILTERS = 128
WIDTHS = (3, 4, 5)
WORD_DIMENSION = 100
LONGEST = 64
_UNKNOWN = 1


class TextCNN:
    """Tells the class of a text by a network of word vectors, one layer of convolutions, and the maximum over the text.

    The adversary sees: labelled texts and the *target texts*; no vectors. It is what Song and Raghunathan hold the
    vectors against (Section 6.3): 128 filters, 30 `epochs`, Adam 1e-3, batches of 128. They do not state the rest; here
    it is Kim's (EMNLP 2014): widths of 3, 4 and 5 words and a dropout of one half. Word vectors have 100 dimensions.
    """

    def __init__(self, *, epochs: int = EPOCHS) -> None:
        self.epochs = epochs

    def fit(
        self,
        texts: Sequence[str],
        labels: Sequence[str | None],
        *,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Self:
        """Learn from labelled texts; those without a label are left out, and `missing_` counts them."""
        import torch

        from vestige.attacks.attributes.text_cnn_network import ConvolvedWords

        check_floor("epochs", self.epochs, 1)
        known = as_labels(labels, len(texts), of="texts")
        parted = [words(texts[row]) for row in known.rows]
        self.vocabulary_ = Vocabulary.build(map(frozenset, parted), size=None)
        rows, truth = [self._numbered(text) for text in parted], torch.from_numpy(known.classes)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**31)))
            network = ConvolvedWords(
                len(self.vocabulary_) + _UNKNOWN + 1, WORD_DIMENSION, FILTERS, WIDTHS, len(known.names)
            )
            optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
            advance = progress("teaching the network", self.epochs)
            for _ in range(self.epochs):
                order = rng.permutation(len(rows))
                for batch in np.split(order, range(BATCH, len(order), BATCH)):
                    logits = network(_padded([rows[row] for row in batch]))
                    loss = torch.nn.functional.cross_entropy(logits, truth[torch.from_numpy(batch)])
                    optimiser.zero_grad()
                    loss.backward()
                    optimiser.step()
                advance(1)
        self.network_, self.labels_, self.missing_ = network.eval(), known.names, known.missing
        return self

    def infer(self, texts: Sequence[str]) -> LabelGuesses:
        """How likely each class is, text by text."""
        import torch

        if not hasattr(self, "network_"):
            raise NotFitted("TextCNN.infer was called before fit; call fit(texts, labels, rng=...) first")
        found = np.empty((len(texts), len(self.labels_)))
        rows = [self._numbered(words(text)) for text in texts]
        with torch.no_grad():
            for start in range(0, len(rows), BATCH):
                logits = self.network_(_padded(rows[start : start + BATCH]))
                found[start : start + BATCH] = logits.double().softmax(dim=1).numpy()
        return LabelGuesses(self.labels_, found)

    def _numbered(self, text: list[str]) -> Integers:
        """0 is no word at all, 1 is a word that was never seen."""
        index = self.vocabulary_.index
        return np.array(
            [index[word] + _UNKNOWN + 1 if word in index else _UNKNOWN for word in text[:LONGEST]], np.int64
        )


def _padded(rows: list[Integers]) -> "Tensor":
    import torch

    table = np.zeros((len(rows), max(max(map(len, rows)), max(WIDTHS))), dtype=np.int64)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return torch.from_numpy(table)
