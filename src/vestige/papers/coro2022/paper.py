"""Corò, Privacy Leakage Analysis of Text Representations, Padova 2022: Tables 5.1 to 5.7, Figure 5.1.

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
        "table5.6": "table5_6",
        "table5.7": "table5_6",
        "figure5.1": "figure5_1",
    },
    SCALES,
    MODELS,
)
