"""Corò, Privacy Leakage Analysis of Text Representations, Padova 2022: Tables 5.1 to 5.7, A.1 and A.2,
Figures 4.1 and 5.1, and the improvements that Section 6.1 names.

The reproduction follows the thesis: six representations fitted on a public corpus; one domain attacked with text of its
own and of other domains; sentences of 8 to 40 words, paragraphs of 128 to 168; only words of the attacker's vocabulary
count, and across domains those of both vocabularies; averages over texts; the settings of the inverter.
"""

from vestige.papers.coro2022.setup import MODELS, SCALES
from vestige.papers.table import Paper

PAPER = Paper(
    "coro2022",
    "Luca Corò, Privacy Leakage Analysis of Text Representations for Natural Language Processing, University of Padova "
    "2022",
    {
        "table5.1": "table5_1",
        "table5.2": "table5_2",
        "table5.4": "table5_4",
        "table5.3": "examples",
        "table5.5": "examples",
        "table5.6": "table5_6",
        "table5.7": "table5_6",
        "tableA.1": "examples",
        "tableA.2": "table5_2",
        "figure4.1": "figure4_1",
        "figure5.1": "figure5_1",
        "section6.1": "section6_1",
    },
    SCALES,
    MODELS,
)
