"""Chen, Open-World Document Embedding Inversion Attack under Limited Query Access, National Taiwan University 2023.

The reproduction follows the thesis: 200 queries to the private encoder from a pool; an external corpus; a surrogate;
words ranked by their importance; Precision@k and NDCG@k; the settings of SADE and of its five baselines; four defenses,
and topics predicted from the same vectors.
"""

from vestige.papers.chen2023.setup import MODELS, SCALES
from vestige.papers.table import Paper

PAPER = Paper(
    "chen2023",
    "Wei-En Chen, Open-World Document Embedding Inversion Attack under Limited Query Access, National Taiwan "
    "University 2023",
    {
        "figure5.1": "figure5_1",
        "figure5.2": "figure5_2",
        "figure5.3": "figure5_2",
        "figure5.4": "figure5_4",
        "table5.2": "figure5_1",
        "table5.3": "ablations",
        "table5.4": "ablations",
        "table5.5": "ablations",
        "table5.6": "ablations",
        "figure6.1": "chapter6",
        "figure6.2": "chapter6",
        "tableA.1": "chapter6",
        "tableB.2": "ablations",
        "tableC.3": "ablations",
        "casestudy": "case_study",
    },
    SCALES,
    MODELS,
)
