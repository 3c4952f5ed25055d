"""What a run does otherwise than Song and Raghunathan, told from what it used."""

from collections.abc import Sequence

from vestige.attacks.sparse import STEPS
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.learned import Learned
from vestige.papers.run import Run
from vestige.papers.song2020.posts import TARGETS as TARGETS_EACH
from vestige.papers.song2020.posts import Posts
from vestige.papers.song2020.texts import LONGEST, SHORTEST, Sizes, Texts
from vestige.papers.told import NOT_CONVERGED, named, updates
from vestige.papers.victims import Absent, Victim
from vestige.text.corpus import Corpus

TARGETS, SAME, CROSS, STUDIED = 100_000, 200_000, 800_000, 40_000_000
EPOCHS, BATCH = 30, 256


def differs(run: Run[Sizes], texts: Texts, targets: Sequence[Victim | Absent]) -> tuple[str, ...]:
    """What is so in every table."""
    same, cross = texts.auxiliary["same"], texts.auxiliary["cross"]
    return (
        f"Texts: sentences of {SHORTEST} to {LONGEST} words from '{same.name}' in place of BookCorpus, and from "
        f"'{cross.name}' in place of Wikipedia.",
        f"Sizes: {len(texts.targets):,} targets ({TARGETS:,} in the paper), {len(same):,} auxiliary sentences of the "
        f"same domain ({SAME:,}) and {len(cross):,} of the other ({CROSS:,}). Targets and auxiliary sentences share no "
        "document; the paper parts them by sentence.",
        *_encoders(run, texts.study, targets),
        "Measure: precision and recall are averages over texts, and F1 is the harmonic mean of the two, as the "
        "published F1 is. Whether the paper averages over texts or pools all words it does not say. A text of which "
        "nothing is claimed has precision 0.",
    )


def white_box_differs(sizes: Sizes) -> tuple[str, ...]:
    """What the white-box tables do otherwise."""
    return (
        f"Relaxation (Equation 5) attacks {sizes.relaxed} of the targets, those of one length together, and by the "
        f"paper's recipe takes at most {sizes.steps:,} steps; sparse coding (Equation 7) takes at most {STEPS:,}. The "
        "paper runs both until they converge; relaxation stopped so soon may not have, and its row is no verdict on "
        "the recipe.",
        "The map M of Equation 7 is ridge regression, its penalty chosen on held-out documents; the paper has least "
        "squares.",
        f"Both attacks look for the {sizes.vocabulary:,} most frequent words of the auxiliary texts. As in the paper, "
        "words are the encoder's own, stop words and pieces of words included.",
    )


def layers_differ() -> tuple[str, ...]:
    """What the figure does otherwise."""
    return (
        "Every layer is attacked where there are at most six, else every other; the paper attacks every other of "
        "twelve. Its figure prints no values; what is known of it is its last layer, which Table 1 has.",
        "Layer 0 here is what enters the first block: words with their positions, after the layer norm, the special "
        "tokens among them. The paper's is the mean of the word vectors.",
    )


def black_box_differs(sizes: Sizes, texts: Texts) -> tuple[str, ...]:
    """What the black-box table does otherwise."""
    same, cross = (len(texts.auxiliary[side]) for side in ("same", "cross"))

    def trained(epochs: int) -> str:
        return (
            f"{updates(same, epochs, BATCH):,} updates with the same domain and {updates(cross, epochs, BATCH):,} with "
            f"the other ({updates(SAME, EPOCHS, BATCH):,} and {updates(CROSS, EPOCHS, BATCH):,} in the paper)"
        )

    return (
        "Words are content words; the paper counts stop words as well, which are easy to guess and raise its figures. "
        f"The attacks look for {sizes.vocabulary:,} words, but every content word of a target counts.",
        f"Multi-label classification by the paper's recipe trains all {EPOCHS} epochs, on fewer sentences: "
        f"{trained(EPOCHS)}. It claims what has a probability above 0.5; the paper states no threshold. "
        f"{NOT_CONVERGED}",
        f"Multi-set prediction by the paper's recipe trains {sizes.epochs} epochs ({EPOCHS}): {trained(sizes.epochs)}. "
        f"{NOT_CONVERGED}",
        "Multi-set prediction takes as many steps as a training text has words on average, where Algorithm 2 takes as "
        "many as the text itself has, and its decoder is Corò's, with one matrix of words for input and output.",
    )


def authors_differ(run: Run[Sizes], posts: Posts, targets: Sequence[Victim | Absent]) -> tuple[str, ...]:
    """What Figure 3 does otherwise, corpus by corpus."""
    name, documents = posts.corpus.name, "thread" if posts.corpus.name == "newsgroups" else "speech"
    return (
        f"Authors: {posts.classes} of '{name}', drawn {run.sizes.draws} times from {len(set(posts.authors))} (100 to "
        f"800 of BookCorpus, five times), with {TARGETS_EACH} sentences under attack each (250). Labels and targets of "
        f"an author never share a {documents}; the paper parts them by sentence.",
        *_encoders(run, posts.study, targets),
        "Models: BERT and ALBERT are not in the paper's figure, its Skip-thought and InferSent are not here. It prints "
        "no values: the two dual encoders are best everywhere, and TextCNN is worst.",
        "Raw text is read by TextCNN, as in the paper, and by a support vector machine on tf-idf, which the paper has "
        "not. Posts of newsgroups are without quotes, signatures, and lines that an author writes twice.",
        "Intervals cover documents and draws, whichever is wider.",
    )


def _encoders(run: Run[Sizes], study: Corpus, targets: Sequence[Victim | Absent]) -> list[str]:
    here = [target for target in targets if isinstance(target, Victim) and target.model not in run.encoders]
    learned = [target for target in here if isinstance(target.encoder, Learned)]
    pretrained = [f"'{target.here}' for {target.model}" for target in here if target not in learned]
    told = [trained(target, study) for target in learned]
    if learned:
        told.append(
            "Our recipe for these has dropout, word vectors that start from the sentences that words share, a layer "
            "norm at the end and another course of the learning rate; the next sentence alone is predicted."
        )
    if pretrained:
        told.append(
            f"Pretrained transformers stand in: {', '.join(pretrained)}. A checkpoint you have is named with --encoder "
            "BERT=hf:FOLDER@mean."
        )
    return [*told, *named(targets, run.encoders)]


def trained(target: Victim, study: Corpus) -> str:
    """How a dual encoder learned here, and there."""
    assert isinstance(target.encoder, Learned)
    ours = target.encoder.recipe
    assert isinstance(ours, DualRecipe)
    paper = DualRecipe.paper(ours.architecture)
    sentences = len(study.sentences())
    return (
        f"{target.model} is '{target.here}', trained here by our recipe on {sentences:,} sentences of "
        f"'{study.name}' ({STUDIED:,} in the paper): {ours.dimension} dimensions ({paper.dimension:,}), "
        f"{ours.epochs} epochs ({paper.epochs}) in batches of {ours.batch} ({paper.batch}), about "
        f"{updates(sentences, ours.epochs, ours.batch):,} updates ({updates(STUDIED, paper.epochs, paper.batch):,})."
    )
