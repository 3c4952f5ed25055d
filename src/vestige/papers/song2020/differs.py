"""What a run does otherwise than Song and Raghunathan, told from what it used."""

from collections.abc import Sequence

from vestige.attacks.sparse import STEPS
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.learned import Learned
from vestige.papers.run import Run
from vestige.papers.song2020.books import LABELLED, Books
from vestige.papers.song2020.posts import TARGETS as TARGETS_EACH
from vestige.papers.song2020.posts import Posts
from vestige.papers.song2020.texts import LONGEST, SHORTEST, Sizes, Texts
from vestige.papers.song2020.word_texts import MIN_COUNT, WIDTH, Contest, Parts
from vestige.papers.told import NOT_CONVERGED, named, updates
from vestige.papers.victims import Absent, Victim
from vestige.text.corpus import Corpus

TARGETS, SAME, CROSS, STUDIED = 100_000, 200_000, 800_000, 40_000_000
EPOCHS, BATCH = 30, 256
ARTICLES = 75_000


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


def membership_differs(run: Run[Sizes], books: Books, targets: Sequence[Victim]) -> tuple[str, ...]:
    """What the figure of membership does otherwise."""
    return (
        f"Books: texts of {run.sizes.pages} sentences or more from '{books.study.name}' in place of those of "
        f"BookCorpus; {len(books.study):,} are learned, as many are not, and as many teach the control.",
        *(_trained(target, books.study) for target in targets if target.model not in run.encoders),
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


def _encoders(run: Run[Sizes], study: Corpus, targets: Sequence[Victim | Absent]) -> list[str]:
    here = [target for target in targets if isinstance(target, Victim) and target.model not in run.encoders]
    trained = [target for target in here if isinstance(target.encoder, Learned)]
    pretrained = [f"'{target.here}' for {target.model}" for target in here if target not in trained]
    told = [_trained(target, study) for target in trained]
    if trained:
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


def _trained(target: Victim, study: Corpus) -> str:
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
