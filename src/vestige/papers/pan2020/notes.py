"""Notes on how a run differs from Pan et al. 2020 that several of its tables share."""

from vestige.papers.notes import count_updates, describe_named
from vestige.papers.pan2020.setup import PanSizes
from vestige.papers.pan2020.texts import PIVOTS, SUBSTITUTES, ExternalCorpus, KeywordStudy
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
    stand_ins = [
        f"'{here}' ({describe_readout(here)}) for {model}" for model, here in used.items() if model not in OURS
    ]
    ours = [f"{model} ('{here}')" for model, here in used.items() if model in OURS]
    notes = []
    if stand_ins:
        notes.append(
            f"Stand-ins: {', '.join(stand_ins)}. The paper takes the last hidden state of language models; these were "
            "trained as sentence encoders. To use a checkpoint of your own, name it with --encoder Bert=hf:FOLDER@last."
        )
    if ours:
        notes.append(f"The paper does not attack {' and '.join(ours)}.")
    return (*notes, *describe_named(targets, run.encoders))


def describe_readout(here: str) -> str:
    """Which of its states an encoder returns."""
    if here == "minilm":
        return "mean of all states, at unit length"
    readout = here.partition("@")[2].partition(":")[0]
    return {"mean": "mean of all states", "cls": "first state", "last": "last state"}.get(readout, "its own readout")


def describe_examples(sizes: PanSizes) -> str:
    """How long the networks that recover patterns train."""
    published = f"{ITERATIONS * BATCH / 1e6:g} million texts"
    drawn = (
        f"of fresh texts, {sizes.iterations * BATCH:,} in all ({published})"
        if sizes.fresh
        else f"drawn from {sizes.examples:,} generated texts; in the paper every batch is fresh, {published}"
    )
    return (
        f"The paper's networks train {sizes.iterations:,} iterations ({ITERATIONS:,}) on batches of {BATCH} {drawn}. "
        f"The paper trains one network after the other; here all see the same batches. Our default learns from "
        f"{sizes.examples:,} texts. A line says whether its training had converged; one that had not is undecided."
    )


def describe_substitutes(study: KeywordStudy) -> str:
    """Which keywords of the paper others replace."""
    used = {city: place for city, place in SUBSTITUTES.items() if place in study.keywords}
    listed = ", ".join(f"{place} for {city}" for city, place in used.items())
    return f" Too few sentences contain three cities of the paper: {listed}." if used else ""


def describe_untested(study: KeywordStudy) -> str:
    """Which keywords occur in too few documents."""
    rare = study.tests.untested
    return f" In too few documents to be tested: {', '.join(rare)}." if rare else ""


def describe_epochs(external: ExternalCorpus) -> str:
    """How short an epoch of DANN is here."""
    here, paper = (count_updates(2 * sentences, 1, KEYWORD_BATCH) for sentences in (external.sentences, EXTERNAL))
    return (
        f"An epoch of DANN is {here} updates here and {paper} in the paper, which averages over fifty epochs. An SVM "
        "and an MLP are evaluated after they converged; the paper states no rule for that, and the record has ours."
    )


def describe_external(external: ExternalCorpus) -> str:
    """The public corpus into which keywords are inserted."""
    pivot = PIVOTS.get(external.corpus.name)
    where = f"'{pivot}'" if pivot else "a word drawn at random"
    return (
        f"External corpus: {external.sentences:,} sentences of '{external.corpus.name}' ({EXTERNAL:,} of restaurant "
        f"reviews in the paper), with a keyword in the place of {where} ('salad'). By the paper's recipes each keyword "
        "has the sentences without one as negative examples and its own as positive ones; in our default a sentence "
        "with one keyword is a negative example for every other."
    )
