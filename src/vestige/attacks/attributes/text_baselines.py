"""Baselines of attribute inference that classify the raw text without an encoder."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np
from scipy.special import softmax

from vestige.attacks.attack import AttackInfo
from vestige.attacks.attributes.inference import BATCH, EPOCHS, RATE
from vestige.attacks.attributes.labels import as_labels
from vestige.attacks.checks import check_floor
from vestige.errors import InputError, NotFitted
from vestige.nn.device import Device, choose_device
from vestige.nn.stopping import LossWatch
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


class TextTfidf:
    """Predicts the class of a text by linear support vector machines, one per class, on tf-idf of the text itself.

    The adversary sees: labelled texts and the *target texts*; no vectors. It is no attack on vectors but what they are
    compared with: what a reader of the text could infer without an encoder.

    Features are words, pairs of words, and sequences of two to four letters within words. Probabilities are the softmax
    of the margins: their order counts, they are not calibrated.
    """

    info = AttackInfo(
        name="text-tfidf",
        summary="baseline of attributes: the label from the raw text, by tf-idf of words and letters",
        output=LabelGuesses,
        access=("texts", "labels"),
        role="baseline",
    )

    def fit(self, texts: Sequence[str], labels: Sequence[str | None], *, rng: np.random.Generator) -> Self:
        """Learn from labelled texts; those without a label are skipped, and `missing_` counts them."""
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import make_union
        from sklearn.svm import LinearSVC

        known = as_labels(labels, len(texts), of="texts")
        self.features_ = make_union(
            TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"\w+", dtype=np.float32),
            TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, min_df=2, dtype=np.float32),
        )
        self.classifier_ = LinearSVC(C=0.1, dual=True, random_state=int(rng.integers(2**31)))
        try:
            features = self.features_.fit_transform([texts[row] for row in known.rows])
        except ValueError as error:
            raise InputError(
                f"the {len(known.rows)} labelled texts have no word or letters in common ({error}); give more"
            ) from error
        self.classifier_.fit(features, known.classes)
        self.labels_, self.missing_ = known.names, known.missing
        return self

    def infer(self, texts: Sequence[str]) -> LabelGuesses:
        """The probability of each class for each text."""
        if not hasattr(self, "labels_"):
            raise NotFitted("TextTfidf.infer was called before fit; call fit(texts, labels, rng=...) first")
        if not len(texts):
            return LabelGuesses(self.labels_, np.empty((0, len(self.labels_))))
        margins = self.classifier_.decision_function(self.features_.transform(texts))
        if margins.ndim == 1:
            margins = np.column_stack([-margins, margins])
        return LabelGuesses(self.labels_, softmax(margins.astype(np.float64), axis=1))


class TextCNN:
    """Predicts the class of a text by word vectors, one layer of convolutions, and the maximum over the text.

    The adversary sees: labelled texts and the *target texts*; no vectors. Song and Raghunathan, CCS 2020, compare the
    vectors with it (Section 6.3): 128 filters, 30 `epochs`, Adam 1e-3, batches of 128. They do not state the rest; here
    it follows Kim (EMNLP 2014): widths of 3, 4 and 5 words and a dropout of one half. Word vectors have 100 dimensions.
    It is trained on the `device`; `log_` says how the training ended, by its training loss.
    """

    info = AttackInfo(
        name="text-cnn",
        summary="baseline of attributes: the label from the raw text, by convolutions (Song and Raghunathan 2020)",
        output=LabelGuesses,
        access=("texts", "labels"),
        paper="Song and Raghunathan, CCS 2020, Section 6.3; Kim, EMNLP 2014",
        role="baseline",
    )

    def __init__(self, *, epochs: int = EPOCHS, device: Device = "cpu") -> None:
        self.epochs = epochs
        self.device = device

    def fit(
        self,
        texts: Sequence[str],
        labels: Sequence[str | None],
        *,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Self:
        """Learn from labelled texts; those without a label are skipped, and `missing_` counts them."""
        import torch

        check_floor("epochs", self.epochs, 1)
        known = as_labels(labels, len(texts), of="texts")
        tokenized = [words(texts[row]) for row in known.rows]
        self.vocabulary_ = Vocabulary.build(map(frozenset, tokenized), size=None)
        device = choose_device(self.device)
        rows, truth = [self._number(text) for text in tokenized], torch.from_numpy(known.classes).to(device)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**31)))
            network = ConvolvedWords(len(self.vocabulary_) + _UNKNOWN + 1, len(known.names))
            network.layers.to(device)
            optimiser = torch.optim.Adam(network.layers.parameters(), lr=RATE)
            advance, watch = progress("training the network", self.epochs), LossWatch(self.epochs, of="training loss")
            for _ in range(self.epochs):
                order, total = rng.permutation(len(rows)), 0.0
                for batch in np.split(order, range(BATCH, len(order), BATCH)):
                    logits = network.logits(_pad([rows[row] for row in batch]).to(device))
                    loss = torch.nn.functional.cross_entropy(logits, truth[torch.from_numpy(batch).to(device)])
                    optimiser.zero_grad()
                    loss.backward()
                    optimiser.step()
                    total += loss.item() * len(batch)
                watch.update(total / len(rows))
                advance(1)
        network.layers.cpu().eval()
        self.log_ = watch.log()
        self.network_, self.labels_, self.missing_ = network, known.names, known.missing
        return self

    def infer(self, texts: Sequence[str]) -> LabelGuesses:
        """The probability of each class for each text."""
        import torch

        if not hasattr(self, "network_"):
            raise NotFitted("TextCNN.infer was called before fit; call fit(texts, labels, rng=...) first")
        found = np.empty((len(texts), len(self.labels_)))
        rows = [self._number(words(text)) for text in texts]
        with torch.no_grad():
            for start in range(0, len(rows), BATCH):
                logits = self.network_.logits(_pad(rows[start : start + BATCH]))
                found[start : start + BATCH] = logits.double().softmax(dim=1).numpy()
        return LabelGuesses(self.labels_, found)

    def _number(self, text: list[str]) -> Integers:
        """0 is padding, 1 an unknown word."""
        index = self.vocabulary_.index
        return np.array(
            [index[word] + _UNKNOWN + 1 if word in index else _UNKNOWN for word in text[:LONGEST]], np.int64
        )


class ConvolvedWords:
    """Word vectors, convolutions of several widths, the maximum over the text, dropout, a linear layer."""

    def __init__(self, words: int, classes: int) -> None:
        from torch import nn

        self.vectors = nn.Embedding(words, WORD_DIMENSION, padding_idx=0)
        self.convolutions = nn.ModuleList(nn.Conv1d(WORD_DIMENSION, FILTERS, width) for width in WIDTHS)
        self.dropout = nn.Dropout(0.5)
        self.output = nn.Linear(FILTERS * len(WIDTHS), classes)
        self.layers = nn.ModuleList([self.vectors, self.convolutions, self.dropout, self.output])

    def logits(self, rows: "Tensor") -> "Tensor":
        """From (texts, length) of word numbers to (texts, classes)."""
        import torch

        embedded = self.vectors(rows).transpose(1, 2)
        features = [convolution(embedded).relu().amax(dim=2) for convolution in self.convolutions]
        logits: Tensor = self.output(self.dropout(torch.cat(features, dim=1)))
        return logits


def _pad(rows: list[Integers]) -> "Tensor":
    import torch

    table = np.zeros((len(rows), max(max(map(len, rows)), max(WIDTHS))), dtype=np.int64)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return torch.from_numpy(table)
