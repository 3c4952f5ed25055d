"""Table 1: white-box inversion of sentence embeddings (Song and Raghunathan 2020, Section 3.2).

Relaxation (Equation 5), and sparse coding after a learned map (Equation 7).
"""

from vestige.papers.published import Sections
from vestige.papers.run import PaperRun
from vestige.papers.song2020.attacks import DOMAIN_COLUMNS, WHITE_BOX, plan_inversion
from vestige.papers.song2020.notes import text_notes, white_box_notes
from vestige.papers.song2020.setup import MODELS, SongSizes
from vestige.papers.song2020.texts import read_texts
from vestige.papers.table import Plan, Table
from vestige.papers.victims import load_victims


def plan(run: PaperRun[SongSizes], printed: Sections) -> Plan:
    """One section per attack, one row per encoder."""
    texts = read_texts(run)
    targets = load_victims(run, MODELS, texts.encoded, texts.study)
    rows = plan_inversion(run, printed, WHITE_BOX, texts, targets)
    return Plan(rows, text_notes(run, texts, targets) + white_box_notes(run.sizes))


TABLES = {"table1": Table("Table 1: white-box inversion of sentence embeddings", DOMAIN_COLUMNS, plan, "white box")}
