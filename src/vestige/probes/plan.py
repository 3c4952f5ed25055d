"""The questions of an audit, in the order in which they are asked and shown."""

from collections.abc import Sequence

from vestige.encoders.load import ready_made
from vestige.errors import InputError
from vestige.probes.attributes import AttributesProbe
from vestige.probes.budget import BudgetProbe
from vestige.probes.fingerprint import FingerprintProbe
from vestige.probes.keywords import KeywordsProbe
from vestige.probes.membership import MembershipProbe
from vestige.probes.names import NamesProbe
from vestige.probes.patterns import PatternsProbe
from vestige.probes.probe import Probe
from vestige.probes.sentences import SentencesProbe
from vestige.probes.surrogates import installed
from vestige.probes.training import TrainingProbe
from vestige.probes.words import WordsProbe
from vestige.registry import nearest

PROBES: tuple[Probe, ...] = (
    WordsProbe("words", "Can a stranger who has similar text read your words?", "same-domain"),
    WordsProbe("words-cross-domain", "Can a stranger who has only unrelated text read your words?", "cross-domain"),
    KeywordsProbe("keywords", "Can a stranger tell whether a sensitive word is in a text?", "same-domain"),
    KeywordsProbe(
        "keywords-cross-domain",
        "Can a stranger who has only unrelated text tell whether a sensitive word is in a text?",
        "cross-domain",
    ),
    NamesProbe("names", "Can a stranger read the names of persons?"),
    AttributesProbe("attributes", "Can a stranger tell who wrote a text, or another label of yours?"),
    PatternsProbe("patterns", "Can a stranger who knows the format read a number or a date?"),
    SentencesProbe("sentences", "Can a stranger who may try texts on the encoder write your sentences back?"),
    BudgetProbe("budget", "How few questions to the encoder let a stranger read words of your texts?", installed()),
    MembershipProbe(
        "membership", "Can a stranger who sees nothing but the scores of a search tell whether a text is in your store?"
    ),
    TrainingProbe("membership-training", "Can a stranger tell whether a text was in the training data of the encoder?"),
    FingerprintProbe("fingerprint", "Can a stranger tell which encoder made the vectors?", ready_made()),
)


def chosen_probes(names: Sequence[str]) -> tuple[Probe, ...]:
    """The questions named, in the order in which they are asked, or all of them."""
    known = {probe.name: probe for probe in PROBES}
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise InputError(f"there is no probe '{unknown}'; {nearest(unknown, list(known))}")
    return tuple(probe for probe in PROBES if not names or probe.name in names)
