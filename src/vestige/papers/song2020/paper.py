"""Song and Raghunathan, Information Leakage in Embedding Models, CCS 2020: Tables 1 and 2, Figures 2 to 7.

The reproduction follows the paper: half of the documents train the dual encoders, and targets come from the other half;
auxiliary text is of the same domain or of another; each attack has its published settings; relaxation knows the length
of a target; all of the encoder's own words count in the white box; precision and recall are averaged over texts, and F1
is the harmonic mean of the two averages.
"""

from vestige.papers.song2020.setup import AUTHOR_MODELS, LAYERED, SCALES, WORD_MODELS
from vestige.papers.table import Paper

PAPER = Paper(
    "song2020",
    "Congzheng Song and Ananth Raghunathan, Information Leakage in Embedding Models, CCS 2020",
    {
        "table1": "table1",
        "table2": "table2",
        "figure2": "figure2",
        "figure3": "figure3",
        "figure4": "figure4",
        "figure5": "figure5",
        "figure6": "figure6",
        "figure7": "figure7",
    },
    SCALES,
    {**AUTHOR_MODELS, **LAYERED, **WORD_MODELS},
)
