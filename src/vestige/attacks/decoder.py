"""Sequence decoding: write the sentence behind a vector, word by word."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, as_table, check_floor
from vestige.attacks.linear_words import whitening_matrix
from vestige.attacks.rows import split_blocks
from vestige.attacks.sparse_columns import KeptColumns
from vestige.checks import check_choice
from vestige.errors import NotFitted
from vestige.nn.device import Device, choose_device
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import detokenize, tokenize
from vestige.types import Integers, Progress, TextGuesses, Vectors, silent

if TYPE_CHECKING:
    import torch

    from vestige.attacks.decoder_network import BidirectionalDecoder, ForwardDecoder

_UNITS, _DROPOUT, _NEGATIVES = 256, 0.2, 1024
_RATES = {"default": 2e-3, "pan": 1e-3}
_EPOCHS = {"default": 6, "pan": 5}
_BATCH = 64
_ROWS_AT_ONCE = 128
_LONGEST = 64


class DecoderInverter:
    """Writes a sentence for each vector with an LSTM that was trained on pairs.

    The adversary sees: vectors of texts it knows (pairs, as many as it likes), and the target vectors. Black box.
    Shapes: `fit` takes (n, d) vectors and n texts; `infer` takes (m, d) and returns m texts.
    Paper: Pan et al., IEEE S&P 2020, Appendix F, which reports that it fails.

    Tokens are lower-cased words and punctuation marks of the auxiliary texts, not the pieces of the encoder's
    tokenizer: a black box does not show its pieces, and every guess then consists of whole words. `recipe="default"`
    writes from left to right; its normaliser is sampled. `recipe="pan"` is the published bidirectional layer with the
    full softmax: in training its backward direction sees the very word that it is to predict, so that its loss falls to
    zero without the vector. It is trained for the 5 epochs of Figure 10; optimiser, rate and batch are not stated
    (here: Adam, 1e-3, 64). Its layer is as wide as the vectors, so that it takes no sparse table; of a sparse table
    (CSR) the default takes the 4,096 columns that most known texts use.
    """

    info = AttackInfo(
        name="decoder",
        summary="writes a sentence word by word with an LSTM (Pan et al. 2020)",
        output=TextGuesses,
        access=("pairs",),
        paper="Pan et al., IEEE S&P 2020, Appendix F",
        recipes=("default", "pan"),
        named_recipes={"pan-decoder": {"recipe": "pan"}},
    )

    def __init__(
        self,
        *,
        recipe: Literal["default", "pan"] = "default",
        vocabulary_size: int = 8000,
        epochs: int | None = None,
        device: Device = "cpu",
    ) -> None:
        self.recipe = recipe
        self.vocabulary_size = vocabulary_size
        self.epochs = epochs
        self.device = device

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs: row i of `vectors` is the embedding of `texts[i]`. `losses_` has the loss by epoch."""
        self._check()
        vectors = as_pairs(vectors, texts, documents, sparse=self.recipe == "default")
        self.columns_ = KeptColumns.choose(vectors)
        vectors = self.columns_.take(vectors)
        import torch

        tokenized = [tokenize(text)[: _LONGEST - 1] for text in texts]
        self.vocabulary_ = Vocabulary.build(map(frozenset, tokenized), self.vocabulary_size)
        self.longest_ = int(max(map(len, tokenized))) + 1
        self.mean_, self.map_ = self._coordinates(vectors)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**31)))
            self._train(self._transform(vectors), [self._number(sentence) for sentence in tokenized], rng, progress)
        return self

    def infer(self, vectors: Vectors) -> TextGuesses:
        """Greedy decoding."""
        if not hasattr(self, "network_"):
            raise NotFitted("DecoderInverter.infer was called before fit; call fit(vectors, texts, rng=...) first")
        vectors = self.columns_.take(as_table(vectors, self.columns_.width))
        blocks = (self._write(self._transform(block))[:count] for block, count in split_blocks(vectors, _ROWS_AT_ONCE))
        return TextGuesses([text for texts in blocks for text in texts])

    def _coordinates(self, vectors: Vectors) -> tuple[Vectors, Vectors]:
        """The published decoder takes vectors unchanged, ours whitens them."""
        width = vectors.shape[1]
        if self.recipe == "pan":
            return np.zeros(width, np.float32), np.eye(width, dtype=np.float32)
        mean = vectors.mean(axis=0)
        return mean, whitening_matrix(vectors - mean)

    def _transform(self, vectors: Vectors) -> Vectors:
        return np.asarray((vectors - self.mean_) @ self.map_, np.float32)

    def _number(self, sentence: list[str]) -> Integers:
        from vestige.attacks.decoder_network import END, RESERVED, START, UNKNOWN

        known = self.vocabulary_.index
        numbers = [known[token] + RESERVED if token in known else UNKNOWN for token in sentence]
        return np.array([START, *numbers, END])

    def _train(self, inputs: Vectors, sentences: list[Integers], rng: np.random.Generator, progress: Progress) -> None:
        import torch

        from vestige.attacks.decoder_network import RESERVED, token_loss

        self.device_ = choose_device(self.device)
        self.network_ = self._network(inputs.shape[1], len(self.vocabulary_) + RESERVED).to(self.device_)
        epochs = _EPOCHS[self.recipe] if self.epochs is None else self.epochs
        steps = epochs * -(-len(inputs) // _BATCH)
        optimiser = torch.optim.Adam(self.network_.parameters(), lr=_RATES[self.recipe], fused=True)
        final = 0.0 if self.recipe == "default" else 1.0
        schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, final, total_iters=steps)
        advance = progress("training the decoder", steps)
        self.losses_: list[float] = []
        for _ in range(epochs):
            total = 0.0
            order = rng.permutation(len(inputs))
            for rows in np.split(order, range(_BATCH, len(order), _BATCH)):
                batch = _pad([sentences[row] for row in rows]).to(self.device_)
                given = torch.from_numpy(inputs[rows]).to(self.device_)
                negatives = self._negatives(rng)
                negatives = None if negatives is None else negatives.to(self.device_)
                loss = token_loss(self.network_, given, batch, negatives)
                optimiser.zero_grad()
                loss.backward()
                if self.recipe == "default":
                    torch.nn.utils.clip_grad_norm_(self.network_.parameters(), 1.0)
                optimiser.step()
                schedule.step()
                advance(1)
                total += loss.item() * len(rows)
            self.losses_.append(total / len(inputs))
        self.network_.eval()

    def _network(self, dimension: int, tokens: int) -> "ForwardDecoder | BidirectionalDecoder":
        from vestige.attacks.decoder_network import BidirectionalDecoder, ForwardDecoder

        return (
            BidirectionalDecoder(dimension, tokens)
            if self.recipe == "pan"
            else ForwardDecoder(dimension, tokens, _UNITS, _DROPOUT)
        )

    def _negatives(self, rng: np.random.Generator) -> "torch.Tensor | None":
        import torch

        from vestige.attacks.decoder_network import RESERVED

        if self.recipe == "pan" or len(self.vocabulary_) <= 2 * _NEGATIVES:
            return None
        return torch.from_numpy(rng.choice(len(self.vocabulary_) + RESERVED, _NEGATIVES, replace=False))

    def _write(self, block: Vectors) -> list[str]:
        import torch

        from vestige.attacks.decoder_network import RESERVED, write_greedily

        rows = write_greedily(self.network_, torch.from_numpy(block).to(self.device_), min(self.longest_, _LONGEST))
        words = self.vocabulary_.words
        return [detokenize(words[token - RESERVED] for token in row if token >= RESERVED) for row in rows.tolist()]

    def _check(self) -> None:
        check_choice("recipe", self.recipe, ("default", "pan"))
        check_floor("vocabulary_size", self.vocabulary_size, 1)
        if self.epochs is not None:
            check_floor("epochs", self.epochs, 1)


def _pad(sentences: list[Integers]) -> "torch.Tensor":
    import torch

    return torch.nn.utils.rnn.pad_sequence([torch.from_numpy(each) for each in sentences], batch_first=True)
