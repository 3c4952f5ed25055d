"""Cases of toy texts, for probes that are run by themselves."""

from collections.abc import Sequence
from dataclasses import replace

from tests.conftest import WordSum
from vestige.case.case import Case
from vestige.case.findings import Finding
from vestige.case.inputs import read_inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.probes.probe import Probe, Run
from vestige.text.corpus import Corpus
from vestige.types import Encoder, Progress, Vectors, silent


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


class Recording(WordSum):
    """Records every text that it encodes."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        self.texts += texts
        return super().encode(texts, progress=progress)


def list_unused_queries(probe: Probe, settings: Settings, corpus: Corpus) -> set[str]:
    """The texts that a probe announces, and does not query when it runs; and there is one at least."""
    encoder = Recording()
    plan = plan_case(read_inputs(None, corpus, encoder, None, settings), settings)
    known = probe.list_known_queries(plan)
    assert known
    case, encoder.texts = plan.build(silent), []
    assert isinstance(probe.run(replace(case, encoder=encoder), Run(settings)), Finding)
    return set(known) - set(encoder.texts)
