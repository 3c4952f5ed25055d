"""What the figures of membership do otherwise than Song and Raghunathan, told from what a run used."""

from collections.abc import Sequence

from vestige.papers.run import Run
from vestige.papers.song2020.books import LABELLED, Books
from vestige.papers.song2020.differs import trained
from vestige.papers.song2020.texts import Sizes
from vestige.papers.song2020.word_texts import MIN_COUNT, WIDTH, Contest, Parts
from vestige.papers.told import named
from vestige.papers.victims import Absent, Victim

ARTICLES = 75_000


def windows_differ(
    run: Run[Sizes], parts: Parts, windows: Contest, targets: Sequence[Victim | Absent]
) -> tuple[str, ...]:
    """What the membership of windows does otherwise."""
    return (
        f"Texts: '{parts.members.name}' in place of Wikipedia: {len(parts.members):,} documents to learn from and "
        f"{len(parts.others):,} beside them (some {ARTICLES:,} of each in the paper), and {len(parts.public):,} more "
        "as public text, which the paper has no need of.",
        f"Windows: {WIDTH} words, all of them among the {windows.words:,} that stand at least {MIN_COUNT} times in "
        "each of the three parts; a word that only the members have would betray them without any vector. "
        f"{windows.copied:,} of {windows.found:,} windows stand on both sides word for word and are left out. Of the "
        f"rest, at most {run.sizes.windows:,} a decile and side are drawn.",
        "Deciles are of words, and words are counted in the public text, where a stranger can count them; the paper "
        "does not say where it counts, nor whether it means a tenth of the words or of their occurrences. The rarest "
        f"word of each decile stands there {', '.join(f'{least:,}' for least in windows.least)} times.",
        "Each half of the documents is judged by the best threshold of the other half; the paper does not say where "
        "its thresholds are from.",
        "The figure prints no values. The published ones are from the text: below 10 for frequent words, roughly 30 "
        "for rare ones, FastText the most resistant.",
        "Our default compares every word of a window with every other, rare ones counting more, and takes away what "
        "all vectors have in common; beside vectors of public text, it takes away how near the words are there too.",
        "Two controls, both by our default: vectors that learned from neither side, and windows whose words around the "
        "middle are from other windows of the same side and decile.",
        *named(targets, run.encoders),
    )


def books_differ(run: Run[Sizes], books: Books, targets: Sequence[Victim]) -> tuple[str, ...]:
    """What the figure of membership does otherwise."""
    return (
        f"Books: texts of {run.sizes.pages} sentences or more from '{books.study.name}' in place of those of "
        f"BookCorpus; {len(books.study):,} are learned, as many are not, and as many teach the control.",
        *(trained(target, books.study) for target in targets if target.model not in run.encoders),
        "So small a text is learned by heart, which 40 million sentences in one epoch are not: the advantage here says "
        "what a small training set gives away, not what the encoders of the paper did.",
        f"Labels: the adversary knows of {LABELLED:.0%} of the books whether they were learned, all their pairs with "
        "them, and none of these is scored; the paper has 10% of the data, and does not say that it parts books.",
        "Learned similarity by the paper's recipe starts as the dot product, passes through a sigmoid, and takes "
        "batches of 128; the paper states none of the three. Shuffled labels leave it much as the dot product is, so "
        "that this control is shown for ours alone. One shuffle of so few labels leans to either side by chance; the "
        "control is the mean of ten, and its interval says how far they lie apart.",
        "Advantage: the threshold of one half of the books calls the other half, both ways round; the paper does not "
        "say where its threshold comes from. Published figures of pairs are an upper bound, from its text.",
        "The rarity of a pair or a book is minus the average count of its words in the sentences under attack.",
    )
