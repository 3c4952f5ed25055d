"""Notes on how a run differs from Song and Raghunathan 2020 that several of its tables share."""

from vestige.attacks.relaxed import TUNING_STEPS
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.fitted import LearnedEncoder
from vestige.papers.notes import count_updates, describe_named, list_used
from vestige.papers.run import PaperRun
from vestige.papers.song2020.setup import SongSizes
from vestige.papers.song2020.texts import LONGEST, SHORTEST, InversionTexts
from vestige.papers.victims import Victim, Victims
from vestige.text.corpus import Corpus

TARGETS, SAME, CROSS, STUDIED = 100_000, 200_000, 800_000, 40_000_000
"""Sizes in the paper: targets, auxiliary sentences of either domain, sentences that train the dual encoders."""


def text_notes(run: PaperRun[SongSizes], texts: InversionTexts, targets: Victims) -> tuple[str, ...]:
    """Texts, sizes, encoders and measure: what the inversion tables share."""
    same, cross = texts.auxiliary["same"], texts.auxiliary["cross"]
    return (
        f"Texts: sentences of {SHORTEST} to {LONGEST} words from '{same.name}' in place of BookCorpus, and from "
        f"'{cross.name}' in place of Wikipedia.",
        f"Sizes: {len(texts.targets):,} targets ({TARGETS:,} in the paper), {len(same):,} auxiliary sentences of the "
        f"same domain ({SAME:,}) and {len(cross):,} of the other ({CROSS:,}). Targets and auxiliary sentences share no "
        "document; the paper splits by sentence.",
        *_cross_notes(len(same), len(cross)),
        *encoder_notes(run, texts.study, targets),
        "Measure: precision and recall are averages over texts, and F1 is the harmonic mean of the two, as the "
        "published F1 is. The paper does not say whether it averages over texts or pools all words. A text for which "
        "nothing is guessed has precision 0.",
    )


def _cross_notes(same: int, cross: int) -> tuple[str, ...]:
    if cross >= 4 * same:
        return ()
    return (
        f"The other domain has {cross / same:.1f} times as much auxiliary text as the same domain, four times in the "
        "paper: the corpus has no more.",
    )


def white_box_notes(sizes: SongSizes) -> tuple[str, ...]:
    """The white-box attacks of Table 1 and Figure 2."""
    limit = "" if sizes.steps is None else f", at most {sizes.steps:,} steps"
    words = "all words" if sizes.vocabulary is None else f"the {sizes.vocabulary:,} most frequent words"
    return (
        f"Relaxation (Equation 5) attacks {sizes.relaxed:,} of the targets, drawn at random from as many documents as "
        f"possible. A descent runs until its rule says that it has converged{limit}. "
        f"{_describe_searched(sizes)} {_describe_tuned(sizes)}",
        "The map M of Equation 7 is ridge regression, its penalty chosen on held-out documents; the paper uses least "
        "squares. As in the paper, hyperparameters are tuned on a part of the auxiliary text.",
        f"Sparse coding guesses from {words} of the auxiliary texts. As in the paper, words are the encoder's own, "
        "stop words and pieces of words included.",
    )


def _describe_tuned(sizes: SongSizes) -> str:
    stated = "The paper states a rate of 0.001 and a temperature of 0.05, chosen on auxiliary texts for its encoders"
    if not sizes.tuned:
        return f"{stated}; both are used for ours as they are (--set tuned=true chooses them again)."
    return f"{stated}; here both are chosen for ours in the same way, in descents of at most {TUNING_STEPS:,} steps."


def _describe_searched(sizes: SongSizes) -> str:
    if sizes.searched is None:
        held = "no pairs" if not sizes.tuned else "pairs, to choose its settings,"
        return (
            f"By the paper's recipe relaxation holds {held} and searches the encoder's whole vocabulary; our default "
            "learns from pairs."
        )
    return (
        f"By the paper's recipe relaxation searches the {sizes.searched:,} most frequent words of the auxiliary texts; "
        "in the paper, all words of the encoder, without auxiliary texts."
    )


def encoder_notes(run: PaperRun[SongSizes], study: Corpus, targets: Victims) -> list[str]:
    """How the encoders were trained, and which are stand-ins."""
    used = list_used(run, targets)
    learned = [target for target in used if isinstance(target.encoder, LearnedEncoder)]
    stand_ins = [target for target in used if target not in learned and target.model not in run.encoders]
    pretrained = [f"'{target.here}' for {target.model}" for target in stand_ins]
    notes = [describe_training(target, study) for target in learned if _learned_from(target, study)]
    if any(target.model not in run.encoders for target in learned):
        notes.append(
            "Our recipe for these adds dropout, word vectors initialized from the sentences that words share, a final "
            "layer norm and another schedule of the learning rate; only the next sentence is predicted."
        )
    if pretrained:
        notes.append(
            f"Pretrained transformers stand in: {', '.join(pretrained)}. To use a checkpoint of your own, name it "
            "with --encoder BERT=hf:FOLDER@mean."
        )
    return [*notes, *describe_named(targets, run.encoders)]


def _learned_from(target: Victim, study: Corpus) -> bool:
    """Whether it is a dual encoder that learns from these texts; a user may name one that learns from others."""
    encoder = target.encoder
    return isinstance(encoder, LearnedEncoder) and isinstance(encoder.recipe, DualRecipe) and encoder.corpus is study


def describe_training(target: Victim, study: Corpus) -> str:
    """How a dual encoder was trained here, and in the paper."""
    assert isinstance(target.encoder, LearnedEncoder)
    ours = target.encoder.recipe
    assert isinstance(ours, DualRecipe)
    paper = DualRecipe.paper(ours.architecture)
    sentences, by = len(study.sentences()), "the published" if ours == paper else "our"
    return (
        f"{target.model} is '{target.here}', trained here by {by} recipe on {sentences:,} sentences of '{study.name}' "
        f"({STUDIED:,} in the paper): {ours.dimension} dimensions ({paper.dimension:,}), {ours.epochs} epochs "
        f"({paper.epochs}) in batches of {ours.batch} ({paper.batch}), about "
        f"{count_updates(sentences, ours.epochs, ours.batch):,} updates "
        f"({count_updates(STUDIED, paper.epochs, paper.batch):,})."
    )
