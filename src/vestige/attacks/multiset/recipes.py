"""The settings of the published set decoders."""

from dataclasses import dataclass, replace

from vestige.attacks.checks import check_floor
from vestige.errors import InputError


@dataclass(frozen=True)
class RecurrentRecipe:
    """How a set decoder is trained, as far as a paper states it; `dataclasses.replace` changes single settings.

    `units` of the LSTM and of each word, at most so many `epochs`, texts per `batch`, and the `rate` of Adam. With a
    `patience`, training ends after so many epochs without a lower held-out loss, and the epoch with the best held-out
    F1 is kept; without, all epochs are run and the last is kept. A decoder that `ends` may predict an end and stops
    there, although nothing teaches it when. `listed` removes a predicted word before the loss of its step instead of
    after it. `summed` adds up the loss over the remaining words of a step, where Equation 9 takes their mean: steps
    with many words left weigh more. `shrinkage` is the share by which every step makes the weights of the projection
    and of the cell smaller, besides Adam. With `own_length` each text is rolled out for as many steps as it has words,
    else for those of the mean text. With `every_step` the vector enters at every step, not only at the first.
    With `keras_start` the weights start as `SetDecoder.start_as_keras` has it, else with the defaults of PyTorch.
    `vocabulary` is the number of words that are learned unless another is asked for.
    """

    units: int
    epochs: int
    batch: int
    rate: float
    weight_decay: float = 0.0
    dropout: float = 0.0
    patience: int | None = None
    ends: bool = False
    listed: bool = False
    summed: bool = False
    shrinkage: float = 0.0
    own_length: bool = False
    every_step: bool = False
    keras_start: bool = False
    vocabulary: int = 8000

    def check(self) -> None:
        """Refuse what cannot be trained."""
        floors = {"units": 1, "epochs": 1, "batch": 1, "weight_decay": 0, "dropout": 0, "shrinkage": 0}
        for name, floor in floors.items():
            check_floor(name, getattr(self, name), floor)
        if self.patience is not None:
            check_floor("patience", self.patience, 1)
        if not self.rate > 0 or not self.dropout < 1:
            raise InputError(
                f"The 'rate' must be above 0 and the 'dropout' below 1. Got {self.rate} and {self.dropout} instead."
            )


_CORO = RecurrentRecipe(512, 100, 64, 4e-4, 1e-4, 0.2, 10, ends=True, vocabulary=20_000)

_SONG = RecurrentRecipe(300, 30, 256, 1e-3, own_length=True, keras_start=True)

RECIPES = {
    "song": _SONG,
    "song-released": replace(_SONG, dropout=0.25, listed=True, summed=True, shrinkage=1e-4),
    "coro": _CORO,
    "coro-listed": replace(_CORO, listed=True),
}
"""Song and Raghunathan 2020, Section 6.2, as the paper states it and as the authors' released code trains it
(github.com/google/embedding-tests, `invert/models.py`); Corò 2022, Section 4.3.3, as derived and as Algorithm 1 lists
it. Both follow the framework of their authors, Keras and PyTorch, in how weights start, which neither text states. The
released code also starts words from GloVe vectors, which `single_words` can give."""
