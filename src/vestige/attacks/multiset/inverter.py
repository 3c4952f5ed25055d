"""Multi-set inversion: predict the words of a text one after another, each given the words already predicted."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, as_table, check_floor, check_whole
from vestige.attacks.multiset.closed_form import ClosedFormDecoder, fit_closed_form
from vestige.attacks.multiset.recipes import RECIPES, RecurrentRecipe
from vestige.attacks.sparse_columns import KeptColumns
from vestige.attacks.training_set import CountedWords, TrainingSet, choose_words
from vestige.attacks.word_vectors import WordVectors
from vestige.checks import check_choice
from vestige.errors import InputError, NotFitted
from vestige.nn.device import Device, choose_device
from vestige.types import Integers, Progress, TrainingLog, Vectors, WordGuesses, silent

if TYPE_CHECKING:
    from vestige.attacks.multiset.recurrent import RecurrentDecoder

OWN_VOCABULARY = 8000


class MultiSetInverter:
    """Predicts the set of content words of a text from its vector, word by word.

    The adversary sees: vectors of texts it knows (pairs, as many as it likes), and the target vectors; with
    `single_words` also the vectors of single words. Black box.
    Shapes: `fit` takes (n, d) vectors and n texts; `infer` takes (m, d) and returns m sets and m ranked lists.
    Papers: Song and Raghunathan, CCS 2020, Section 3.2, Equation 9, Algorithm 2; Corò, Padova 2022, Section 4.2.3.

    `recipe="default"` has no network: ridge regression of vectors on words gives what each word contributes to a
    vector, and greedy decoding subtracts what each predicted word explains.

    The published recipes train an LSTM with the full softmax (`multiset.recipes` has their settings; `training`
    replaces them, `epochs` shortens or prolongs, `log_` says whether the training converged). `recipe="song"` rolls out
    each text for as many steps as it has words, in training and, where `infer` is given them, in the attack; Algorithm
    2 knows this number. The paper says no more of its network than one layer of 300 units. What it leaves open follows
    the authors' released code, as far as it agrees with the paper: one matrix of words for input and output, a
    projection of the vector as first input, weights that start with the defaults of Keras. Learned initial states, and
    a tenth of the pairs held out to watch the loss, are as in Corò's recipe. `recipe="song-released"` is the training
    of the authors' released code: a predicted word is removed before the loss, which is the sum over the remaining
    words, with a dropout of a quarter on each input. `recipe="coro"` takes as many steps as the mean text has words,
    and stops where it predicts an end, which `end_token` adds to the words to be learned (his Appendix
    A.1). It removes a predicted word after the loss of its step, so that the loss is over the words "left to predict at
    step t", as he puts it and as Song and Raghunathan have it in Equation 9; `recipe="coro-listed"` removes it
    before it, as his Algorithm 1 does.

    A sparse table (CSR) of vectors never becomes dense in the published recipes; the default takes the 4,096 columns
    that most known texts use.

    `words="all"` counts stop words too, as Song and Raghunathan do, and "content:it" the content words of Italian.
    `vocabulary_size` is by default 8,000, and 20,000 for Corò's recipes. `rare_words` above 0 gives rare words more
    weight: in the score by which the default chooses its threshold, in the loss of the LSTM.
    """

    info = AttackInfo(
        name="multiset",
        summary=(
            "infers content words one after another, each given those before (Song and Raghunathan 2020; Corò 2022)"
        ),
        output=WordGuesses,
        access=("pairs",),
        paper="Song and Raghunathan, CCS 2020, Section 3.2, Equation 9; Corò, Padova 2022, Section 4.2.3",
        recipes=("default", "song", "song-released", "coro", "coro-listed"),
        named_recipes={
            "song-msp": {"recipe": "song", "words": "all"},
            "song-msp-released": {"recipe": "song-released", "words": "all"},
            "coro": {"recipe": "coro"},
            "coro-listed": {"recipe": "coro-listed"},
            "coro-end-token": {"recipe": "coro", "end_token": True},
            "coro-rare-words": {"recipe": "coro", "rare_words": 1.0},
        },
        audited=True,
        description=(
            "multi-set inversion, word after word by what each contributes to a vector "
            "(after Song and Raghunathan 2020)"
        ),
    )

    def __init__(
        self,
        *,
        recipe: Literal["default", "song", "song-released", "coro", "coro-listed"] = "default",
        vocabulary_size: int | None = None,
        words: CountedWords = "content",
        epochs: int | None = None,
        end_token: bool = False,
        rare_words: float = 0.0,
        training: RecurrentRecipe | None = None,
        device: Device = "cpu",
    ) -> None:
        self.recipe = recipe
        self.vocabulary_size = vocabulary_size
        self.words = words
        self.epochs = epochs
        self.end_token = end_token
        self.rare_words = rare_words
        self.training = training
        self.device = device

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        single_words: WordVectors | None = None,
        further_texts: Sequence[str] = (),
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs: row i of `vectors` is the embedding of `texts[i]`.

        `documents` names the document of each text, so that the held-out tenth shares no document with the rest.
        `further_texts` are texts of the same kind without vectors: the default recipe looks for their words too, where
        it has `single_words`.
        `single_words`, a mapping or (words, matrix), holds vectors of words by themselves. The default starts the
        contributions from them, the LSTM uses them as its matrix of words. The encoder's own vectors of the single
        words work best, at one query per word.
        """
        recipe = self._check()
        vectors = as_pairs(vectors, texts, documents, sparse=True)
        self.width_ = vectors.shape[1]
        if recipe is None:
            self.columns_ = KeptColumns.choose(vectors)
            vectors = self.columns_.take(vectors)
        learned = recipe is None and single_words is not None
        pairs = TrainingSet.build(
            vectors,
            texts,
            documents,
            vocabulary_size=self.vocabulary_size or (OWN_VOCABULARY if recipe is None else recipe.vocabulary),
            rare_words=self.rare_words,
            rng=rng,
            further_texts=further_texts if learned else (),
            words=self.words,
        )
        self.vocabulary_ = pairs.vocabulary
        self.log_: TrainingLog | None = None
        if recipe is None:
            self.decoder_: ClosedFormDecoder | RecurrentDecoder = fit_closed_form(pairs, single_words, rng, progress)
            return self
        from vestige.attacks.multiset.recurrent import train_recurrent

        self.decoder_ = train_recurrent(
            pairs,
            recipe,
            single_words=single_words,
            end_token=self.end_token,
            device=choose_device(self.device),
            rng=rng,
            progress=progress,
        )
        self.log_ = self.decoder_.log
        return self

    def infer(self, vectors: Vectors, *, steps: int | Sequence[int] | None = None) -> WordGuesses:
        """Ranked words with their probabilities, calibrated in the default recipe, and the set of predicted words.

        `steps` is how many words the LSTM predicts, for all targets or for each: the number of words of each text,
        where the adversary knows it (Song and Raghunathan 2020, Algorithm 2), or that of texts that are longer or
        shorter than those it was trained on (Corò 2022, Table 5.4). Without, it is that of the mean training text. The
        default infers the size of a text from its vector and takes none.
        """
        if not hasattr(self, "decoder_"):
            raise NotFitted("MultiSetInverter.infer was called before fit; call fit(vectors, texts, rng=...) first")
        vectors = as_table(vectors, self.width_)
        if isinstance(self.decoder_, ClosedFormDecoder):
            if steps is not None:
                raise InputError("The 'steps' parameter must be omitted with recipe 'default'.")
            return self.decoder_.rank(self.columns_.take(vectors)).guesses(self.vocabulary_)
        given = None if steps is None else _as_steps(steps, vectors.shape[0])
        return self.decoder_.rank(vectors, given).guesses(self.vocabulary_)

    def _check(self) -> RecurrentRecipe | None:
        """The settings of the network, once all are valid; None for the recipe without one."""
        check_choice("recipe", self.recipe, ("default", *RECIPES))
        choose_words(self.words)
        for name, floor in {"epochs": 1, "vocabulary_size": 1, "rare_words": 0}.items():
            if getattr(self, name) is not None:
                check_floor(name, getattr(self, name), floor)
        if self.recipe != "default":
            recipe = RECIPES[self.recipe] if self.training is None else self.training
            recipe = recipe if self.epochs is None else replace(recipe, epochs=self.epochs)
            recipe.check()
            return recipe
        if self.epochs is not None or self.end_token or self.training is not None:
            raise InputError(
                "The 'epochs', 'end_token' and 'training' parameters must be omitted with recipe 'default'."
            )
        return None


def _as_steps(steps: int | Sequence[int], count: int) -> Integers:
    given = np.asarray(steps)
    if given.ndim and given.shape != (count,):
        raise InputError(f"{count} targets but {len(given)} steps; give one number for all, or one per target")
    for step in np.unique(given).tolist():
        check_whole("steps", step, 1)
    return np.broadcast_to(given, count).astype(np.int64)
