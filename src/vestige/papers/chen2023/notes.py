"""Notes on how a run differs from Chen 2023 that all of its tables share."""

from collections.abc import Mapping

from vestige.attacks.word_decoder import HELD_SHARE, PATIENCE
from vestige.papers.chen2023.setup import SURROGATE, ChenSizes, load_models
from vestige.papers.chen2023.texts import StudyDocuments
from vestige.papers.notes import describe_named
from vestige.papers.run import PaperRun

EXTERNAL = 10_000


def study_notes(run: PaperRun[ChenSizes], documents: Mapping[str, StudyDocuments]) -> tuple[str, ...]:
    """Encoders, documents, sizes and measures: what all tables share."""
    return (
        *_encoder_notes(run, documents),
        *(_describe_documents(dataset, texts) for dataset, texts in documents.items()),
        _describe_sizes(run.sizes),
        _describe_scale(run.sizes),
        f"A network is trained until its precision on held-out pairs has not risen for {PATIENCE} epochs, for at most "
        f"{run.sizes.steps:,} steps, DAAM for at most fifty epochs as in Pan et al. 2020; the thesis has no rule. A "
        "line says whether its training ended by that rule; one that did not is undecided. Hidden layers have 256 "
        "units, of which the thesis says nothing.",
        _describe_validation(run.sizes, documents),
        f"Every attack with a network is repeated {run.sizes.repeats} times (5), with other weights and other queries "
        "where these are drawn; the mean is shown, and its interval covers documents and repetitions.",
        "Queries by Procrustes take distinct documents, and the map is orthogonal (Equation 4.1 has no constraint); "
        "the thesis says neither. PLD labels documents with vectors of the surrogate as it is, without adaptation. "
        "ERNIE here is ERNIE 2.0; the thesis cites the ERNIE with entities of 2019.",
        "Vectors are scaled to a mean length of 1: from long ones, such as granite's (about 50), networks learn "
        "nothing at the step size of the thesis.",
        "Guessing ranks words by their mean importance in the pool, the same for every document. The thesis calls it "
        "RB, but the words that its Figure D.1 prints for it (quadra, min, minded, minimal) are not frequent: its RB "
        "may be something else.",
        "Precision@k counts a word that has any importance in the document (by TF-IDF every word that it contains; "
        "KeyBERT and YAKE give some of them none); NDCG@k weighs it by its importance. The thesis states neither; "
        "this interpretation fits its pairs of figures, and gains of 0 and 1 do not.",
    )


def _describe_validation(sizes: ChenSizes, documents: Mapping[str, StudyDocuments]) -> str:
    if not sizes.validation or not any(len(texts.validation) for texts in documents.values()):
        reason = " No document is left for more (--set pool=N)." if sizes.validation else ""
        return (
            f"SADE and its baselines choose their best epoch on {HELD_SHARE:.0%} of the queried pairs, and learn from "
            f"the others; in the thesis on further pairs, which the budget does not count.{reason}"
        )
    counts = " and ".join(f"{len(texts.validation):,}" for texts in documents.values())
    return (
        f"SADE and its baselines choose their best epoch on {counts} further pairs, which the budget does not count, "
        "as in the thesis."
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
    tagged = "nouns and verbs" if documents.words.tagged else "words of any kind, without a tagger"
    return (
        f"{dataset}: {len(documents.targets):,} documents of '{documents.targets.name}' under attack, "
        f"{len(documents.pool):,} in the pool, {len(documents.words.words):,} {tagged} in the vocabulary, which is "
        f"that of the adversary's {len(documents.studied):,} documents; the thesis takes it from the whole data set, "
        "private documents included. Half of the documents, without those on which our defaults were chosen, are under "
        "attack up to the number of this scale; in the thesis 80%. "
        f"External: {len(documents.external):,} paragraphs of '{documents.external.name}' ({EXTERNAL:,}); "
        f"{documents.dropped:,} others have too few words of the vocabulary.{_describe_headers(documents)}"
    )


def _describe_headers(documents: StudyDocuments) -> str:
    if documents.targets.name != "newsgroups":
        return ""
    if documents.targets.texts[0].startswith("From: "):
        return (
            " Posts have the headers that can be rebuilt: From, Subject and Lines; the organization is missing. Words "
            "of the headers are in every post, and constant guesses find them."
        )
    return (
        " Posts have no headers; in the thesis they have, and a few constant words of the headers are right for every "
        "post (--set headers=true adds those that can be rebuilt)."
    )


def _describe_scale(sizes: ChenSizes) -> str:
    stated = "The thesis does not say whether the TF-IDF of a document is scaled"
    if sizes.unit:
        return (
            f"{stated}; here it has unit length, as in scikit-learn. No weight then exceeds 1, so that the target of "
            "ListNet, a softmax over the vocabulary, is nearly uniform (--set unit=false leaves the weights as they "
            "are)."
        )
    return (
        f"{stated}; here it is not, so that the target of ListNet, a softmax over the vocabulary, is that of a few "
        "words."
    )


def _describe_sizes(sizes: ChenSizes) -> str:
    return (
        f"Documents, external ones too, are cut to their first {sizes.longest:,} words; those with fewer than "
        f"{sizes.shortest} words of the vocabulary (15) are dropped, and so are words in fewer than {sizes.rarest:.1%} "
        "of documents (0.3%)."
    )
