"""The questions of an audit, in the order in which they are asked and shown."""

from vestige.audit.probes.probe import Probe
from vestige.audit.probes.sentences import SentencesProbe
from vestige.audit.probes.words import WordsProbe

PROBES: tuple[Probe, ...] = (
    WordsProbe("words", "Can a stranger who has similar text read your words?", "same-domain"),
    WordsProbe("words-cross-domain", "Can a stranger who has only unrelated text read your words?", "cross-domain"),
    SentencesProbe("sentences", "Can a stranger who may try texts on the encoder write your sentences back?"),
)
