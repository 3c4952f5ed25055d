"""The encoders under attack: what a paper attacked, what stands for it here, and its vectors, made once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_type_hints

from vestige.encoders.dual.encoder import UNKNOWN
from vestige.encoders.endpoint.consent import is_elsewhere, refuse_unasked_sending
from vestige.encoders.learned import Learned
from vestige.encoders.white_box import OPEN, white_box
from vestige.errors import InputError, VestigeError
from vestige.papers.run import Run
from vestige.papers.specs import at_layer, here_alone, loaded, located, shown
from vestige.text.corpus import Corpus
from vestige.types import Encoder, Progress, Vectors, WhiteBox, silent

Needs = Literal["vectors", "white box", "layers"]
"""What a table asks of an encoder: its vectors, its inside, or the choice of a layer."""


class Victim:
    """An encoder under the name that the paper gives its model; `here` is what it is called here."""

    def __init__(self, model: str, encoder: Encoder, here: str, progress: Progress = silent) -> None:
        self.model = model
        self.encoder = encoder
        self.here = here
        self.progress = progress
        self._made: dict[int, tuple[Corpus, Vectors]] = {}

    @cached_property
    def box(self) -> WhiteBox:
        """The inside of the encoder."""
        return white_box(self.encoder)

    def vectors(self, corpus: Corpus) -> Vectors:
        """A vector a text; the same corpus is encoded once."""
        if id(corpus) not in self._made:
            self._made[id(corpus)] = corpus, self.encoder.encode(corpus.texts, progress=self.progress)
        return self._made[id(corpus)][1]

    def pieces(self, text: str) -> frozenset[str]:
        """What a white-box attack is to find: the encoder's own words in the text, stop words and pieces alike.

        Words that the encoder does not know have one row for all of them, which names no word and is left out.
        """
        return frozenset(self.box.words[place] for place in self.box.word_ids(text)) - {UNKNOWN}

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How many words the encoder reads of each text; some attacks are told."""
        return [len(self.box.word_ids(text)) for text in texts]


@dataclass(frozen=True, slots=True)
class Absent:
    """A model for which nothing stands in here, and why."""

    model: str
    here: str
    reason: str


def check_named(run: Run[object], needs: Needs) -> dict[str, str]:
    """Load the encoders that were named and see that they serve, before anything is trained; their names for a page.

    Texts that are not to be sent are not: an encoder elsewhere is asked nothing without leave. One that learns has yet
    to be given its text.
    """
    return {model: _checked(run, spec, needs) for model, spec in run.encoders.items()}


def _checked(run: Run[object], spec: str, needs: Needs) -> str:
    if needs == "layers":
        at_layer(spec, 0)
    encoder = loaded(run, located(spec), Corpus("", []))
    if isinstance(encoder, Learned):
        makes = get_type_hints(encoder.recipe.fit)["return"]
        if needs == "white box" and not hasattr(makes, "white_box"):
            raise InputError(
                f"encoder '{spec}' is a black box; this table attacks in the white box, with one of {OPEN}"
            )
        return encoder.name
    if needs != "vectors":
        white_box(encoder)
    if run.send or not is_elsewhere(encoder):
        encoder.encode(["word"])
    return shown(spec, encoder)


def victims(
    run: Run[object], stand_ins: Mapping[str, str], texts: Sequence[Corpus], study: Corpus | None = None
) -> list[Victim | Absent]:
    """Whom a table attacks with vectors of these texts; those that learn do so from `study`, when first asked.

    Raises, with an estimate, where an encoder would send the texts to another machine and nobody allowed it.
    """
    found = [victim(run, model, spec, study) for model, spec in stand_ins.items()]
    for target in found:
        if isinstance(target, Victim) and not run.send:
            refuse_unasked_sending(target.encoder, [corpus.texts for corpus in texts])
    return found


def victim(run: Run[object], model: str, stand_in: str, study: Corpus | None = None) -> Victim | Absent:
    """The encoder a user named for the model, else the stand-in, which learns from `study` where it has to learn.

    A stand-in that is not here is told and left out; an encoder that was asked for by name has to be there.
    """
    spec = run.encoders.get(model, stand_in)
    try:
        encoder = loaded(run, located(spec) if model in run.encoders else here_alone(spec), study)
    except VestigeError as error:
        if model in run.encoders:
            raise
        return Absent(model, stand_in, str(error))
    return Victim(model, encoder, shown(spec, encoder), run.progress)
