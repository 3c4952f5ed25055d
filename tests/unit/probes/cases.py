"""Cases of toy texts, for probes that are run by themselves."""

from vestige.case.case import Case
from vestige.case.inputs import read_inputs
from vestige.case.prepare import plan_case
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
    return plan_case(read_inputs(vectors, corpus, encoder, auxiliary, settings, trained_on=trained_on), settings).build(
        silent
    )
