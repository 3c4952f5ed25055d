"""The standing words of the reports: what the figures mean, and what they do not say."""

from vestige.case.findings import Subject
from vestige.case.level import SEVERE, SUBSTANTIAL

ROLES = {
    "attack": ("Attack", "what the stranger reads out of the vectors"),
    "prior": ("Guessing", "the prior: the best guess of one who knows such texts but never saw the vectors"),
    "control": ("Control", "the same attack with vectors and texts mismatched; it should do no better than guessing"),
}

MASKED = "Words that were not read are masked: this page shows no word that the vectors did not give away."
UNMASKED = (
    "This page holds the example texts in full, because the audit was asked to show them. "
    "Treat it as you treat the texts."
)

NOT_TOLD = (
    "This is a measurement by these attacks on these texts. A stronger attack, or one with more text to learn from, "
    "may read more. Whether a text was learned from is measured only where it is said what the encoder was trained on."
)

VECTORS_ALONE = (
    "The texts were not at hand, so the stranger of these figures had vectors, and labels where some lie beside them. "
    "One who knows the texts of some vectors, as a customer knows his own, learns from these to read words, names and "
    "sensitive facts out of the others."
)
BETTER_EQUIPPED = (
    "No encoder was at hand, so the stranger of these figures had pairs and nobody to ask. One who can ask the encoder "
    "makes as many pairs as it likes, tries whole sentences and every number of a known format, and reads more."
)

WITH_THE_ENCODER = (
    "One who can ask the encoder that made the vectors makes such pairs of texts of its own, as many as it likes, and "
    "tries whole sentences and every number of a known format."
)


def better_equipped(subject: Subject) -> str:
    """What a stranger who has more than the one of the figures could add; empty where that one had all there is."""
    if not subject.texts:
        return f"{VECTORS_ALONE} {WITH_THE_ENCODER}"
    return "" if subject.encoder else BETTER_EQUIPPED


LEVELS = {
    "severe": f"leakage of {SEVERE:.2f} or more",
    "substantial": f"leakage of {SUBSTANTIAL:.2f} or more",
    "slight": "leakage above zero",
    "none": f"the 95% interval of the leakage reaches zero, and not up to {SUBSTANTIAL:.2f}",
    "unknown": f"no figure that can be trusted, or an interval from zero to {SUBSTANTIAL:.2f} and more",
}

READING = (
    (
        "Prior (guessing)",
        "What is right without any vector, by claiming for every text the one set of words, or the one sentence, that "
        "fits such texts best. A figure means something only where it is above this.",
    ),
    (
        "Control",
        "The same attack with vectors and texts mismatched: trained on vectors beside the wrong texts or, where it "
        "asks the encoder, judged by the text of another vector. It should fall to guessing; if it does not, something "
        "other than the vectors gives the text away.",
    ),
    (
        "Leakage",
        "The gain of the attack over the prior, text by text, then averaged. "
        "Zero means that the vectors added nothing.",
    ),
    ("Recall", "Of the meaningful words in a text, the share that the attack names."),
    ("Precision", "Of the words that the attack names, the share that is in the text."),
    ("F1", "One figure for both, the harmonic mean of precision and recall: high only when both are high."),
    (
        "ROUGE and BLEU",
        "How much of a sentence was written back. ROUGE-1 is the F1 of all its words, ROUGE-L that of the longest run "
        "of words in the same order, gaps allowed; BLEU counts phrases of up to four words.",
    ),
    (
        "Keywords told rightly",
        "How often it is said rightly whether a text holds the keyword, on a set of which one half does: a coin is "
        "right in 0.5 of cases.",
    ),
    (
        "Attributes told rightly",
        "How often the class of a text is the first guess, or among the first five, averaged over classes, so that a "
        "large class counts no more than a small one: whoever names the same class for every text is right in one of "
        "so many cases as there are classes. For texts as they come, guessing is the class that is most frequent in "
        "truth. The control learns from labels dealt out anew, document by document.",
    ),
    (
        "Advantage",
        "Of membership, the share of texts that are rightly said to be there, less the share of others that are said "
        "to be there too: 1 where all are told, 0 for whoever guesses. The area under the curve is the chance that a "
        "text that is there scores above one that is not; guessing has 0.5.",
    ),
    (
        "Rare words counting more",
        "The same figures with each word weighted by how rare it is, since a rare word tells more about a text than a "
        "frequent one.",
    ),
    (
        "95% interval",
        "Where the figure would likely fall with other documents of the same kind: documents are drawn again many "
        "times (bootstrap) and the middle 95% is kept. The share for a single word has the exact interval of a "
        "proportion. n is the number of texts behind a figure.",
    ),
)

ROC = "Members found against others accused"
ROC_READING = (
    "Each point is a threshold: how many members it finds, and how many others it takes for them. Both axes are "
    "logarithmic, since the left end tells: a stranger who accuses few others and still finds members knows something. "
    "A rate below one in a thousand lies at the edge."
)
