"""Cases of toy texts, for probes that are run by themselves."""

from vestige.case.case import Case
from vestige.case.inputs import read_inputs
from vestige.case.prepare import prepare
from vestige.case.settings import Settings
from vestige.text.corpus import Corpus
from vestige.types import Encoder, Vectors, silent


def case_of(
    corpus: Corpus | None,
    settings: Settings,
    encoder: Encoder | None = None,
    vectors: Vectors | None = None,
    auxiliary: Corpus | None = None,
    trained_on: Corpus | None = None,
) -> Case:
    return prepare(read_inputs(vectors, corpus, encoder, auxiliary, settings, trained_on=trained_on), settings, silent)
