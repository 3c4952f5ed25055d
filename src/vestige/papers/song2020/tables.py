"""Song and Raghunathan, Information Leakage in Embedding Models, CCS 2020: two tables and four figures (S1 to S10).

What is kept: one half of the documents trains the dual encoders, targets come from the other half; auxiliary text of
the same domain and of another; settings of each attack; the length known to relaxation; every word of the encoder's
own counting in the white box; precision and recall averaged over texts, F1 the harmonic mean of the two averages.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from vestige.papers.published import published
from vestige.papers.record import Findings, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.song2020 import authors, figure6, figure7, word_membership
from vestige.papers.song2020.attacks import BLACK_BOX, WHITE_BOX, Attack, lines
from vestige.papers.song2020.differs import black_box_differs, differs, white_box_differs
from vestige.papers.song2020.layers import figure2
from vestige.papers.song2020.pair_membership import COLUMNS, figure5
from vestige.papers.song2020.texts import MODELS, SCALES, Sizes, Texts, read_texts
from vestige.papers.table import Paper, Table
from vestige.papers.victims import Absent, Victim, victims


def table1(run: Run[Sizes]) -> Findings:
    """White-box inversion by relaxation (Eq. 5) and by sparse coding after a learned map (Eq. 7)."""
    texts = read_texts(run)
    targets = victims(run, MODELS, texts.encoded, texts.study)
    rows = tuple(_rows(run, "table1", WHITE_BOX, texts, targets))
    return Findings(rows, differs(run, texts, targets) + white_box_differs(run.sizes))


def table2(run: Run[Sizes]) -> Findings:
    """Black-box inversion by multi-label classification (Eq. 8) and multi-set prediction (Eq. 9)."""
    texts = read_texts(run)
    targets = victims(run, MODELS, texts.encoded, texts.study)
    rows = tuple(_rows(run, "table2", BLACK_BOX, texts, targets))
    return Findings(rows, differs(run, texts, targets) + black_box_differs(run.sizes, texts))


def _rows(
    run: Run[Sizes], table: str, attacks: Mapping[str, Attack], texts: Texts, targets: Sequence[Victim | Absent]
) -> Iterator[Row]:
    advance = run.progress(f"{table}, rows", len(attacks) * len(targets))
    for section, attack in attacks.items():
        for target in targets:
            place = Place(table, section, target.model, published("song2020", table)[section][target.model])
            yield row_of(run, place, target, texts, partial(lines, run, attack, texts))
            advance(1)


THREE = ("precision", "recall", "F1")
SIX = tuple(f"{name}, {domain} domain" for domain in ("same", "other") for name in THREE)

SONG = Paper(
    "song2020",
    "Congzheng Song and Ananth Raghunathan, Information Leakage in Embedding Models, CCS 2020",
    {
        "table1": Table("Table 1: white-box inversion of sentence embeddings", SIX, table1, "white box"),
        "table2": Table("Table 2: black-box inversion of sentence embeddings", SIX, table2),
        "figure2": Table("Figure 2: inversion of the states of different layers", THREE, figure2, "layers"),
        "figure3": Table("Figure 3: who wrote a sentence", authors.COLUMNS, authors.figure3),
        "figure4": Table("Figure 4: membership of windows of words", word_membership.COLUMNS, word_membership.figure4),
        "figure5": Table("Figure 5: membership of sentence pairs and books, as advantage", COLUMNS, figure5),
        "figure6": Table("Figure 6: training against inversion, as F1, and its cost", figure6.COLUMNS, figure6.figure6),
        "figure7": Table("Figure 7: training against authorship, and its cost", figure7.COLUMNS, figure7.figure7),
    },
    SCALES,
    {**MODELS, **word_membership.WORD_MODELS},
)
