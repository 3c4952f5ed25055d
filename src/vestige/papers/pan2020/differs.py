"""What a run does otherwise than Pan et al., told from what it used."""

from collections.abc import Mapping, Sequence

from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.studies import LONGEST, PIVOTS, SHORTEST, External, Study, Texts, missing
from vestige.papers.run import Run
from vestige.papers.told import NOT_CONVERGED, named, updates
from vestige.papers.victims import Absent, Victim
from vestige.text.corpus import Corpus

ITERATIONS, BATCH, RECORDS, EXTERNAL = 100_000, 128, 1000, 2000
KEYWORD_BATCH = 64
ABLATED = "GPT-2"
"""The model whose curves Figure 6 draws."""


def differs(run: Run[Sizes], targets: Sequence[Victim | Absent]) -> tuple[str, ...]:
    """What is so in every table: the models."""
    here = [target for target in targets if isinstance(target, Victim) and target.model not in run.encoders]
    stand_ins = [f"'{target.here}' for {target.model}" for target in here if target.model not in ("USE", "potion")]
    ours = [f"{target.model} ('{target.here}')" for target in here if target.model in ("USE", "potion")]
    told = []
    if stand_ins:
        told.append(
            f"Stand-ins: {', '.join(stand_ins)}. The paper takes the last hidden state of language models; these "
            "average all states and were trained as sentence encoders. A checkpoint you have is named with --encoder "
            "Bert=hf:FOLDER@last."
        )
    if ours:
        told.append(f"The paper does not attack {' and '.join(ours)}.")
    return (*told, *named(targets, run.encoders))


def citizens_differ(sizes: Sizes) -> tuple[str, ...]:
    """What Table II does otherwise."""
    return (
        f"Texts: {sizes.records:,} citizen IDs ({RECORDS:,} in the paper), years 1920 to 2019, only days that are in "
        "the calendar. Guessing takes every year, month and day for equally likely; the paper prints 0.01 percent for "
        "the whole date, where 100 x 12 x 31 values give 0.003.",
        _examples(sizes),
    )


def sequences_differ(sizes: Sizes, sites: int | None) -> tuple[str, ...]:
    """What Figure 3 does otherwise."""
    human = (
        "Human sequences are left out: the corpus 'splice' is not here."
        if sites is None
        else f"Human sequences: {sites:,} of 'splice' (UCI), the twenty nucleotides around the middle, where the "
        "border of a site lies, in place of HS3D (2,000)."
    )
    return (
        f"{human} Generated sequences: {sizes.records:,}, every nucleotide as likely. Sequences are written without "
        "spaces; the attack learns from generated ones.",
        _examples(sizes),
        "Guessing is the most frequent nucleotide of each position. The paper prints the mean for GPT-2 alone.",
        "Splice sites are told from none by half of the sequences (31,680 in the paper), two kinds of site as one.",
    )


def _examples(sizes: Sizes) -> str:
    return (
        f"The paper's networks train {sizes.iterations:,} iterations ({ITERATIONS:,}) on batches of {BATCH} drawn from "
        f"{sizes.examples:,} generated texts; in the paper every batch is fresh, {ITERATIONS * BATCH / 1e6:g} million "
        f"texts. Our default learns from the same {sizes.examples:,}. {NOT_CONVERGED}"
    )


def keywords_differ(run: Run[Sizes], studies: Sequence[Study], external: External) -> tuple[str, ...]:
    """What Figure 6 does otherwise."""
    sizes = run.sizes
    return (
        *(_study(study) for study in studies),
        f"At most {sizes.each} sentences a keyword are attacked and as many that hold none; the paper attacks all. The "
        f"shadow corpus is {sizes.shadow} sentences of a tenth of the documents; no document is on two sides.",
        _external(external),
        "Our default in the white box asks for as many texts as the published recipes: each shadow sentence once a "
        "keyword. In the black box it is DANN with the mean of each domain taken off, and the mean of what the epochs "
        "say.",
        "DANN on average and at worst: over the epochs, as in the paper; at worst is each keyword's best epoch, chosen "
        "by one who knows the truth, and so no figure that an adversary could reach on purpose.",
        _epochs(external),
        "The figure prints no values; Bert's 99.8 and 74.8 are of the abstract, which does not say by which network.",
        f"The curves are of {ABLATED} in the paper and of the first model that is here where {ABLATED} is not; with a "
        "shadow corpus of 10 sentences the paper has 59.4 (MLP), where 20 are the fewest here.",
    )


def random_keywords_differ(
    run: Run[Sizes], keywords: Mapping[str, Sequence[str]], external: External
) -> tuple[str, ...]:
    """What Table III does otherwise."""
    drawn = "; ".join(f"{section}: {', '.join(words)}" for section, words in keywords.items())
    return (
        f"Keywords, drawn from frequent words of the external corpus that no target holds: {drawn}. The paper does not "
        "name its five.",
        f"Texts: at most {run.sizes.records:,} sentences (1,000 in the paper).",
        "No target holds a keyword, so that accuracy is the share of texts of which it is rightly denied, and saying "
        "no to everything has 100 percent. A figure near 100 therefore tells little; the line below it has the same "
        "attack on as many texts again into which a keyword was put, where saying no has 50.",
        "At worst is each keyword's best epoch, chosen by one who knows the truth.",
        _epochs(external),
        _external(external),
        *(
            f"{section} is left out: {reason}."
            for section in ("Medical", "Airline")
            if (reason := missing(run, section))
        ),
    )


def reassembly_differs(texts: Texts) -> tuple[str, ...]:
    """What Table V does otherwise."""
    study = texts.study
    words = (
        "22 that stand in its table, and others of the same kind"
        if study.targets.name == "pubmed"
        else "the most frequent of those ten times rarer in the external corpus"
    )
    return (
        f"Texts: {len(study.targets):,} sentences of '{study.targets.name}'. The paper lists neither its fifty words "
        f"nor the model of its 77 percent, which stands with Bert. Words here: {words}: {', '.join(study.keywords)}."
        f"{_untested(study)}",
        _external(texts.external),
        _epochs(texts.external),
        "Our default is DANN with the mean of each domain taken off.",
        "Samples: a sentence, then the likeliest words, by the mean over the epochs; with a star, those that it holds.",
    )


def fingerprints_differ(library: Sequence[Victim], taught: Corpus, tested: Corpus) -> tuple[str, ...]:
    """What the fingerprint does otherwise."""
    known = ", ".join(f"'{one.here}' ({one.encoder.dimension} columns)" for one in library)
    return (
        f"Library: {known}; in the paper the five of its models with 768 columns. Bert, CLS and Bert, half way are the "
        "same network read at another place, which is the hardest to tell apart.",
        f"Learned from {len(taught):,} sentences of '{taught.name}' (2,000 of restaurant reviews in the paper), tested "
        f"on {len(tested):,} of '{tested.name}' (1,000 medical descriptions).",
        "The last column leaves the encoder out of the library; the paper's network always names one that it knows.",
        "Guessing is one of the encoders with as many columns.",
    )


def _study(study: Study) -> str:
    return (
        f"{study.section}: sentences of {SHORTEST} to {LONGEST} words from '{study.targets.name}'; keywords: "
        f"{', '.join(study.keywords)}.{_untested(study)}"
    )


def _untested(study: Study) -> str:
    rare = study.tests.untested
    return f" In too few documents to be tested: {', '.join(rare)}." if rare else ""


def _epochs(external: External) -> str:
    here, there = (updates(2 * sentences, 1, KEYWORD_BATCH) for sentences in (external.sentences, EXTERNAL))
    return (
        f"An epoch of DANN is {here} updates here and {there} in the paper, so that the first epochs, which its "
        "average counts, have hardly learned; an SVM and an MLP are asked when they have."
    )


def _external(external: External) -> str:
    pivot = PIVOTS.get(external.corpus.name)
    where = f"'{pivot}'" if pivot else "a word drawn at random"
    return (
        f"External corpus: {external.sentences:,} sentences of '{external.corpus.name}' ({EXTERNAL:,} of restaurant "
        f"reviews in the paper), a keyword in the place of {where} ('salad'). A sentence with one keyword is an "
        "example against every other."
    )
