"""The fixed sentences of an audit report: what the figures mean, and what they do not cover."""

from collections.abc import Sequence

from vestige.case.findings import Subject
from vestige.case.level import SEVERE, SUBSTANTIAL
from vestige.types import Score

ROLES = {
    "attack": ("Attack", "what an attacker recovers from the vectors"),
    "prior": ("Guessing", "the prior: the best guess of someone who knows such texts but has not seen the vectors"),
    "control": ("Control", "the same attack on mismatched vectors and texts; it should do no better than guessing"),
}

MASKED_NOTE = (
    "Words that the attack did not recover are masked: this page shows no word that the vectors do not reveal."
)
UNMASKED_NOTE = (
    "This page contains the example texts in full, because the audit was run with --show-text. "
    "Treat it as you treat the texts."
)

LIMITATIONS = (
    "These figures come from these attacks on these texts. A stronger attack, or one with more text to learn from, may "
    "recover more. Whether a text was in the encoder's training data is measured only if you give the training texts."
)

NO_TEXTS = (
    "The texts were not available, so the attacker in these figures had the vectors, and labels if the store has any. "
    "An attacker who knows the texts of some vectors, as a customer knows their own, can learn from them to recover "
    "words, names and sensitive facts from the others."
)
NO_ENCODER = (
    "No encoder was available, so the attacker in these figures had pairs but could not query the encoder. An attacker "
    "who can query it makes any number of pairs, tries whole sentences and every number of a known format, and "
    "recovers more."
)

WITH_THE_ENCODER = (
    "An attacker who can query the encoder that made the vectors makes any number of such pairs from their own texts, "
    "and tries whole sentences and every number of a known format."
)


def describe_stronger_adversary(subject: Subject) -> str:
    """What an adversary with more access could add; empty if the adversary of the figures had all access."""
    if not subject.texts:
        return f"{NO_TEXTS} {WITH_THE_ENCODER}"
    return "" if subject.encoder else NO_ENCODER


def describe_pending(pending: Sequence[str]) -> str:
    """That an audit has not finished, and which probes it has not run."""
    verb = "has" if len(pending) == 1 else "have"
    return (
        f"This audit has not finished: {', '.join(pending)} {verb} not run. The verdict covers the other probes only. "
        "Run the same command again to resume."
    )


def describe_standing(leakage: Score) -> str:
    """Where a gain over guessing stands, as far as its interval allows a statement."""
    if leakage.low > 0:
        return "above guessing"
    return "below guessing" if leakage.high < 0 else "not distinguishable from guessing"


def describe_wrong_words(count: int) -> str:
    """How many predicted words are not in the text; the page does not say which, since they are the attacker's."""
    return f"{count} more predicted {'word is' if count == 1 else 'words are'} not in the text."


LEVELS = {
    "severe": f"leakage of {SEVERE:.2f} or more",
    "substantial": f"leakage of {SUBSTANTIAL:.2f} or more",
    "slight": "leakage above zero",
    "none": f"the 95% interval of the leakage includes zero and stays below {SUBSTANTIAL:.2f}",
    "unknown": f"no reliable figure, or an interval that includes zero and reaches {SUBSTANTIAL:.2f}",
}

GLOSSARY = (
    (
        "Prior (guessing)",
        "What an attacker gets right without any vector, by predicting for every text the one set of words, or the one "
        "sentence, that fits such texts best. A figure means something only if it is above this.",
    ),
    (
        "Control",
        "The same attack with vectors and texts mismatched: it learns from vectors paired with the wrong texts or, if "
        "it queries the encoder, is scored against the text of another vector. It should do no better than guessing. "
        "If it does, something other than the vectors reveals the text.",
    ),
    (
        "Leakage",
        "The gain of the attack over the prior, averaged over the texts. Zero means that the vectors add nothing.",
    ),
    ("Recall", "The share of the meaningful words in a text that the attack predicts."),
    ("Precision", "The share of the predicted words that are in the text."),
    ("F1", "The harmonic mean of precision and recall: high only if both are high."),
    (
        "ROUGE and BLEU",
        "How much of a sentence the attack reconstructs. ROUGE-1 is the F1 of all its words, ROUGE-L that of the "
        "longest sequence of words in the same order, with gaps allowed. BLEU counts phrases of up to four words.",
    ),
    (
        "Accuracy on keywords",
        "How often the attack is right about whether a text contains the keyword. The test set is balanced: half of "
        "the texts contain it, so a coin toss scores 0.5.",
    ),
    (
        "Accuracy on attributes",
        "How often the class of a text is the first guess, or among the first five, averaged over classes so that a "
        "large class counts no more than a small one. Predicting the same class for every text scores 1 / (number of "
        "classes). For texts in their natural proportions, guessing is the most frequent class. The control learns "
        "from labels shuffled between documents.",
    ),
    (
        "Advantage",
        "For membership: the true positive rate minus the false positive rate. It is 1 if every member is found and no "
        "other text is called one, and 0 for guessing. The area under the curve is the chance that a member scores "
        "above a text that is not one; guessing has 0.5.",
    ),
    (
        "Rare words counting more",
        "The same figures with each word weighted by how rare it is, since a rare word reveals more about a text than "
        "a frequent one.",
    ),
    (
        "95% interval",
        "The range in which the figure would likely fall for other documents of the same kind. It is a bootstrap over "
        "documents; for a single word, it is the exact interval of a proportion. n is the number of texts.",
    ),
)

ROC_TITLE = "Members found at each rate of false alarms"
ROC_READING = (
    "Each point is a threshold: the share of members it finds, against the share of other texts it calls members. Both "
    "axes are logarithmic, because the left end matters most: an attacker who finds members with few false alarms "
    "knows something. Rates below one in a thousand are drawn at the edge."
)
