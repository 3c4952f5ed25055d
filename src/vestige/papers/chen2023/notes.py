"""Notes on how a run differs from Chen 2023 that all of its tables share."""

from collections.abc import Mapping

from vestige.attacks.word_decoder import HELD_SHARE
from vestige.papers.chen2023.setup import SURROGATE, ChenSizes, load_models
from vestige.papers.chen2023.texts import StudyDocuments
from vestige.papers.notes import NOT_CONVERGED, describe_named
from vestige.papers.run import PaperRun

EXTERNAL = 10_000


def study_notes(run: PaperRun[ChenSizes], documents: Mapping[str, StudyDocuments]) -> tuple[str, ...]:
    """Encoders, documents, sizes and measures: what all tables share."""
    return (
        *_encoder_notes(run, documents),
        *(_describe_documents(dataset, texts) for dataset, texts in documents.items()),
        _describe_sizes(run.sizes),
        f"Every network takes {run.sizes.steps:,} steps, DAAM fifty epochs as in Pan et al. 2020; the thesis states "
        "none.",
        f"SADE and its baselines choose their best epoch on {HELD_SHARE:.0%} of the queried pairs; the thesis on "
        f"further pairs, which the budget does not count. {NOT_CONVERGED}",
        "Vectors are scaled to a mean length of 1: from long ones, such as granite's (about 50), networks learn "
        "nothing at the step size of the thesis.",
        "Guessing ranks words by their mean importance in the pool, the same for every document. The thesis calls it "
        "RB, but the words that its Figure D.1 prints for it (quadra, min, minded, minimal) are not frequent: its RB "
        "may be something else.",
        "Precision@k counts a word that has any importance in the document (by TF-IDF every word that it contains; "
        "KeyBERT and YAKE give some of them none); NDCG@k weighs it by its importance. The thesis states neither; "
        "this interpretation fits its pairs of figures, and gains of 0 and 1 do not.",
    )


def _encoder_notes(run: PaperRun[ChenSizes], documents: Mapping[str, StudyDocuments]) -> tuple[str, ...]:
    if not documents:
        return ()
    own = load_models(run, [SURROGATE], [], next(iter(documents.values())).studied)
    return (
        f"{SURROGATE} is '{own[SURROGATE].here}' here, and the surrogate wherever no other is named, as in the thesis: "
        "where it is the private encoder too, the adversary holds the very encoder it attacks. Surrogates are not "
        "trained further; a layer behind them is.",
        "Encoders that are trained here, private or the adversary's own, learn from the adversary's documents of the "
        "same kind; the thesis does not say.",
        *describe_named(own, run.encoders),
    )


def _describe_documents(dataset: str, documents: StudyDocuments) -> str:
    tagged = "nouns and verbs" if documents.words.tagged else "words of any kind, since no tagger is installed"
    return (
        f"{dataset}: {len(documents.targets):,} documents of '{documents.targets.name}' under attack, "
        f"{len(documents.pool):,} in the pool, {len(documents.words.words):,} {tagged} in the vocabulary, which is "
        f"that of the adversary's {len(documents.studied):,} documents; the thesis takes it from the whole data set, "
        "private documents included."
    )


def _describe_sizes(sizes: ChenSizes) -> str:
    return (
        f"External: at most {sizes.external:,} paragraphs of WikiText ({EXTERNAL:,}). Documents are cut to their first "
        f"{sizes.longest} words; those with fewer than {sizes.shortest} words of the vocabulary (15) are dropped, and "
        f"so are words in fewer than {sizes.rarest:.1%} of documents (0.3%)."
    )
