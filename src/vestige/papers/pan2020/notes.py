"""Notes on how a run differs from Pan et al. 2020 that several of its tables share."""

from vestige.papers.notes import NOT_CONVERGED, count_updates, describe_named
from vestige.papers.pan2020.setup import PanSizes
from vestige.papers.pan2020.texts import PIVOTS, ExternalCorpus, KeywordStudy
from vestige.papers.run import PaperRun
from vestige.papers.victims import Victim, Victims

ITERATIONS, BATCH, EXTERNAL = 100_000, 128, 2000
KEYWORD_BATCH = 64
OURS = ("USE", "potion")
"""Encoders that the paper does not attack."""


def model_notes(run: PaperRun[PanSizes], targets: Victims) -> tuple[str, ...]:
    """The stand-ins, the encoders that the paper does not attack, and those that the user named."""
    used = {
        model: target.here
        for model, target in targets.items()
        if isinstance(target, Victim) and model not in run.encoders
    }
    stand_ins = [f"'{here}' for {model}" for model, here in used.items() if model not in OURS]
    ours = [f"{model} ('{here}')" for model, here in used.items() if model in OURS]
    notes = []
    if stand_ins:
        notes.append(
            f"Stand-ins: {', '.join(stand_ins)}. The paper takes the last hidden state of language models; these "
            "average all states and were trained as sentence encoders. To use a checkpoint of your own, name it with "
            "--encoder Bert=hf:FOLDER@last."
        )
    if ours:
        notes.append(f"The paper does not attack {' and '.join(ours)}.")
    return (*notes, *describe_named(targets, run.encoders))


def describe_examples(sizes: PanSizes) -> str:
    """How long the networks that recover patterns train."""
    return (
        f"The paper's networks train {sizes.iterations:,} iterations ({ITERATIONS:,}) on batches of {BATCH} drawn from "
        f"{sizes.examples:,} generated texts; in the paper every batch is fresh, {ITERATIONS * BATCH / 1e6:g} million "
        f"texts. Our default learns from the same {sizes.examples:,}. {NOT_CONVERGED}"
    )


def describe_untested(study: KeywordStudy) -> str:
    """Which keywords occur in too few documents."""
    rare = study.tests.untested
    return f" In too few documents to be tested: {', '.join(rare)}." if rare else ""


def describe_epochs(external: ExternalCorpus) -> str:
    """How short an epoch of DANN is here."""
    here, paper = (count_updates(2 * sentences, 1, KEYWORD_BATCH) for sentences in (external.sentences, EXTERNAL))
    return (
        f"An epoch of DANN is {here} updates here and {paper} in the paper, so that the first epochs, which its "
        "average includes, have hardly learned; an SVM and an MLP are evaluated after training."
    )


def describe_external(external: ExternalCorpus) -> str:
    """The public corpus into which keywords are inserted."""
    pivot = PIVOTS.get(external.corpus.name)
    where = f"'{pivot}'" if pivot else "a word drawn at random"
    return (
        f"External corpus: {external.sentences:,} sentences of '{external.corpus.name}' ({EXTERNAL:,} of restaurant "
        f"reviews in the paper), with a keyword in the place of {where} ('salad'). A sentence with one keyword is a "
        "negative example for every other."
    )
