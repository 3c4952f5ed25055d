"""Table 2: black-box inversion of sentence embeddings (Song and Raghunathan 2020, Section 3.3).

Multi-label classification (Equation 8) and multi-set prediction (Equation 9).
"""

from vestige.papers.notes import count_updates
from vestige.papers.published import Sections
from vestige.papers.run import PaperRun
from vestige.papers.song2020.attacks import BLACK_BOX, DOMAIN_COLUMNS, plan_inversion
from vestige.papers.song2020.notes import CROSS, SAME, text_notes
from vestige.papers.song2020.setup import MODELS, SongSizes
from vestige.papers.song2020.texts import InversionTexts, read_texts
from vestige.papers.table import Plan, Table
from vestige.papers.victims import load_victims

EPOCHS, BATCH = 30, 256


def plan(run: PaperRun[SongSizes], printed: Sections) -> Plan:
    """One section per attack, one row per encoder."""
    texts = read_texts(run)
    targets = load_victims(run, MODELS, texts.encoded, texts.study)
    rows = plan_inversion(run, printed, BLACK_BOX, texts, targets)
    return Plan(rows, text_notes(run, texts, targets) + black_box_notes(run.sizes, texts))


def black_box_notes(sizes: SongSizes, texts: InversionTexts) -> tuple[str, ...]:
    """How Table 2 differs from the paper."""
    same, cross = (len(texts.auxiliary[side]) for side in ("same", "cross"))

    def describe(epochs: int) -> str:
        return (
            f"{count_updates(same, epochs, BATCH):,} updates with the same domain and "
            f"{count_updates(cross, epochs, BATCH):,} with the other ({count_updates(SAME, EPOCHS, BATCH):,} and "
            f"{count_updates(CROSS, EPOCHS, BATCH):,} in the paper)"
        )

    counted = (
        "All words count, stop words included, as in the paper."
        if sizes.words == "all"
        else "Content words alone count; the paper counts stop words as well, which are easy to guess."
    )
    among = "all words" if sizes.vocabulary is None else f"the {sizes.vocabulary:,} most frequent words"
    return (
        f"{counted} The attacks guess from {among} of the auxiliary texts, but every word of a target counts.",
        f"By the paper's recipes both attacks train {sizes.epochs} epochs ({EPOCHS}): {describe(sizes.epochs)}. "
        f"{_describe_patience(sizes.patience)}"
        "Multi-label classification guesses the words with a probability above 0.5; the paper states no threshold.",
        "Multi-set prediction by the paper's recipe is given the number of words of each text; our default infers it. "
        "The paper does not say how its decoder takes the vector: as in Corò 2022 and in the authors' released code, "
        "the projected vector is the first input, and there is one matrix of words for input and output; as in that "
        "code, weights start with the defaults of Keras. The code differs from the paper: a predicted word is removed "
        "before the loss, the loss is summed over the words left, not averaged, a quarter of each input is dropped "
        "out, and words start from GloVe, which no run here does. It also pools the words of all texts before it "
        "computes precision and recall.",
    )


def _describe_patience(patience: int | None) -> str:
    if patience is None:
        return ""
    return (
        f"Multi-set prediction ends once its held-out loss has not fallen for {patience} epochs, and keeps the epoch "
        "with the best held-out F1: Algorithm 2 trains until convergence, which the paper does not define. "
    )


TABLES = {"table2": Table("Table 2: black-box inversion of sentence embeddings", DOMAIN_COLUMNS, plan)}
