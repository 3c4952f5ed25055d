"""Chen, Open-World Document Embedding Inversion Attack under Limited Query Access, NTU 2023 (C1 to C10).

What is kept: 200 queries to the private encoder from a pool; an external corpus; a surrogate; words ranked by their
importance; Precision@k and NDCG@k; the settings of SADE and of its five rivals; four defenses, and topics told from
the same vectors.
"""

from functools import partial

from vestige.papers.chen2023 import amounts, case_study, comparison, defenses, heat_map
from vestige.papers.chen2023.ablations import ablation
from vestige.papers.chen2023.adversary import EVERY, FIVE
from vestige.papers.chen2023.models import MODELS
from vestige.papers.chen2023.sizes import SCALES
from vestige.papers.table import Paper, Table

CHEN = Paper(
    "chen2023",
    "Wei-En Chen, Open-World Document Embedding Inversion Attack under Limited Query Access, National Taiwan "
    "University 2023",
    {
        "figure5.1": Table("Figure 5.1: SADE and its rivals", FIVE, comparison.figure51),
        "figure5.2": Table("Figure 5.2: by number of queries", FIVE, amounts.figure52),
        "figure5.3": Table("Figure 5.3: by number of documents in the pool", FIVE, amounts.figure53),
        "figure5.4": Table("Figure 5.4: private encoders and surrogates", heat_map.COLUMNS, heat_map.figure54),
        "table5.2": Table("Table 5.2: queries at random and chosen", comparison.STRATEGIES, comparison.table52),
        "table5.3": Table("Table 5.3: objective", EVERY, partial(ablation, "table5.3")),
        "table5.4": Table("Table 5.4: training the surrogate", EVERY, partial(ablation, "table5.4")),
        "table5.5": Table("Table 5.5: adversarial training in the second stage", EVERY, partial(ablation, "table5.5")),
        "table5.6": Table("Table 5.6: both parts", EVERY, partial(ablation, "table5.6")),
        "figure6.1": Table("Figure 6.1: Laplace noise", defenses.COLUMNS, defenses.figure61),
        "figure6.2": Table("Figure 6.2: fewer dimensions", defenses.COLUMNS, defenses.figure62),
        "tableA.1": Table("Table A.1: transformed, as many dimensions", defenses.EVERY_COLUMN, defenses.table_a1),
        "tableB.2": Table("Table B.2: ways to choose queries", EVERY, partial(ablation, "tableB.2")),
        "tableC.3": Table("Table C.3: queries from fewer clusters", EVERY, partial(ablation, "tableC.3")),
        "casestudy": Table("Appendix D: medical words read from records", FIVE, case_study.case_study),
    },
    SCALES,
    MODELS,
)
