"""What the defenses of Chapter 6 do otherwise than the thesis."""

from vestige.papers.chen2023.defended import TOPICS
from vestige.papers.chen2023.models import SURROGATE
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.texts import Documents
from vestige.papers.run import Run

REMOVED = 1000


def defenses_differ(run: Run[Sizes], documents: Documents) -> tuple[str, ...]:
    """Told from what was used."""
    name = documents.targets.name
    return (
        f"The thesis does not name the encoder of its Chapter 6; it is {SURROGATE} here, since the first row of Table "
        "A.1 is that of SBERT in Table 5.2.",
        "The defense stands before the private encoder: whoever asks it gets defended answers, so that every attack "
        "here has learned from them. Its own encoder is without. The thesis does not say.",
        f"Defenses are fitted on {len(documents.studied):,} documents of '{name}' that are not under attack. Laplace "
        f"noise is scaled by the mean L1 distance that up to five removals of the most frequent words make, on "
        f"{min(run.sizes.shortened, len(documents.targets)):,} of the documents under attack ({REMOVED:,}), as the "
        "owner can; the thesis says neither how many times words are removed nor which distance it is. A mean is "
        "exceeded by many words: no guarantee.",
        f"Use: the {TOPICS[name]} of each document under attack, told by a network that learned from defended vectors "
        "of the other documents. The thesis names neither its classifier nor its measure; this is accuracy.",
        "The figures print no values, nor those of epsilon and of the dimension; these are ours.",
    )
