"""What a run does otherwise than Chen, told from what it used."""

from collections.abc import Mapping

from vestige.attacks.word_decoder import HELD_SHARE
from vestige.papers.chen2023.models import SURROGATE, models
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.texts import TELLING, Documents
from vestige.papers.run import Run
from vestige.papers.told import NOT_CONVERGED, named

EXTERNAL = 10_000


def differs(run: Run[Sizes], read: Mapping[str, Documents]) -> tuple[str, ...]:
    """What is so in every table."""
    return (
        *_encoders(run, read),
        *(_documents(dataset, documents) for dataset, documents in read.items()),
        *_sizes(run.sizes),
        f"Every network takes {run.sizes.steps:,} steps, DAAM fifty epochs as in Pan et al.; the thesis names none.",
        f"SADE and its rivals choose their best epoch on {HELD_SHARE:.0%} of the queried pairs; the thesis on further "
        f"pairs, which the budget does not count. {NOT_CONVERGED}",
        "All are given vectors of length 1 on average: from long ones, as granite's are (about 50), networks learn "
        "nothing at the step size of the thesis.",
        "Guessing ranks words by their mean importance in the pool, for every document alike. The thesis calls it RB, "
        "but the words that its Figure D.1 prints for it (quadra, min, minded, minimal) are no frequent ones: "
        "its RB may be something else.",
        "Precision@k counts a word that has any importance in the document (by TF-IDF every word that it holds; "
        "KeyBERT and YAKE give some of them none); NDCG@k weighs it by its importance. The thesis leaves both open; "
        "this reading fits its pairs of figures, and gains of 0 and 1 do not.",
    )


def case_differs(run: Run[Sizes], documents: Documents, importance: str) -> tuple[str, ...]:
    """What the case study does otherwise."""
    return (
        f"Importance by {importance}. Records: '{documents.targets.name}' in place of clinical notes. The thesis does "
        f"not list its medical words; here they are those {TELLING} times rarer in '{documents.external.name}'.",
        "Samples: the ten best words of each attack; with a star, those among the ten that matter most in the record. "
        "The record itself is not shown, and a word of the ten that was not read stands as a mask.",
        *differs(run, {"Clinical": documents}),
    )


def _encoders(run: Run[Sizes], read: Mapping[str, Documents]) -> tuple[str, ...]:
    if not read:
        return ()
    own = models(run, [SURROGATE], [], next(iter(read.values())).studied)
    return (
        f"{SURROGATE} is '{own[SURROGATE].here}' here, and the surrogate wherever no other is named, as in the thesis: "
        "where it is the private encoder too, the adversary holds the very encoder it attacks. Surrogates are not "
        "trained on; a layer behind them is.",
        "Encoders that learn, private or the adversary's own, do so from the adversary's documents of the same kind; "
        "the thesis does not say.",
        *named(list(own.values()), run.encoders),
    )


def _documents(dataset: str, documents: Documents) -> str:
    tagged = "nouns and verbs" if documents.words.tagged else "words of any kind, no tagger being installed"
    return (
        f"{dataset}: {len(documents.targets):,} documents of '{documents.targets.name}' under attack, "
        f"{len(documents.pool):,} in the pool, {len(documents.words.words):,} {tagged} in the vocabulary, which is "
        f"that of the adversary's {len(documents.studied):,} documents; the thesis takes it from the whole data set, "
        "private documents included."
    )


def _sizes(sizes: Sizes) -> tuple[str, ...]:
    return (
        f"External: at most {sizes.external:,} paragraphs of WikiText ({EXTERNAL:,}). Documents are cut to their first "
        f"{sizes.longest} words; those with fewer than {sizes.shortest} words of the vocabulary (15) are left out, and "
        f"words in fewer than {sizes.rarest:.1%} of documents (0.3%).",
    )
