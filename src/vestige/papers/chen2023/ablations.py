"""Tables 5.3 to 5.6, B.2 and C.3: what each part of SADE contributes (Chen 2023, Chapter 5, Appendices B and C)."""

from collections.abc import Iterator, Mapping
from functools import partial

from vestige.encoders.wrapper import unwrap
from vestige.papers.chen2023.adversary import OpenWorldAdversary
from vestige.papers.chen2023.attacks import CONSTANT, DATASET, EVERY, Attack, AttackSetting, SadeVariant
from vestige.papers.chen2023.measured import measure_line, scores_at_every
from vestige.papers.chen2023.notes import study_notes
from vestige.papers.chen2023.setup import SURROGATE, ChenSizes, load_models, load_surrogate
from vestige.papers.chen2023.texts import read_documents
from vestige.papers.published import Sections, list_models
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.rows import Place, PlannedRow, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table

WHOLE = SadeVariant()
FINE_TUNED = "fine-tuned"
PARTS: Mapping[str, Mapping[str, Attack]] = {
    "table5.3": {
        "MSE": SadeVariant.build(objective="mse"),
        "BCE": SadeVariant.build(objective="bce"),
        "ListNet": WHOLE,
    },
    "table5.4": {
        "MLP": OpenWorldAdversary.mlp,
        "without training": SadeVariant.build(adaptation="none"),
        "with training": WHOLE,
        FINE_TUNED: SadeVariant.build(adaptation="fine-tuned"),
    },
    "table5.5": {
        "MLP": OpenWorldAdversary.mlp,
        "no adversarial": SadeVariant.build(domain_weight=0.0),
        "adversarial": WHOLE,
    },
    "table5.6": {
        "MLP": OpenWorldAdversary.mlp,
        "training + no adversarial": SadeVariant.build(domain_weight=0.0),
        "no training + adversarial": SadeVariant.build(adaptation="none"),
        "no training + no adversarial": SadeVariant.build(adaptation="none", domain_weight=0.0),
        "training + adversarial": WHOLE,
    },
    "tableB.2": {
        "Random": SadeVariant.build(selection="random"),
        "Max Sim": SadeVariant.build(selection="most-similar"),
        "Kmeans": SadeVariant.build(selection="kmeans"),
        "P-Kmeans": WHOLE,
        "Groups": SadeVariant.build(selection="groups"),
        "Coverage": SadeVariant.build(selection="coverage"),
    },
    "tableC.3": {f"n = {n}": SadeVariant.build(clusters=n) for n in (1, 5, 10, 50, 100, 150, 200)},
}
"""By table, the variants of the attack that its sections compare."""

TITLES = {
    "table5.3": "Table 5.3: objective",
    "table5.4": "Table 5.4: training the surrogate",
    "table5.5": "Table 5.5: adversarial training in the second stage",
    "table5.6": "Table 5.6: both parts",
    "tableB.2": "Table B.2: ways to choose queries",
    "tableC.3": "Table C.3: queries from fewer clusters",
}


def plan(variants: Mapping[str, Attack], run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """One section per variant, then our default and the prior."""
    documents = read_documents(run, DATASET)
    setting = AttackSetting(run, documents, load_surrogate(run, SURROGATE, documents.studied))
    targets = load_models(run, list_models(printed), documents.encoded, documents.studied)
    rows: list[PlannedRow] = []
    for section, models in printed.items():
        if section == FINE_TUNED and not hasattr(unwrap(setting.surrogate.encoder), "copy_trainable"):
            reason = f"the weights of '{setting.surrogate.here}' cannot be trained here; name --encoder SBERT=hf:FOLDER"
            rows += [skip_row(Place(section, model, models[model]), targets[model].here, reason) for model in models]
        else:
            rows += setting.plan_rows({section: models}, targets, partial(_lines, variants.get(section)))
    return Plan(rows, study_notes(run, {DATASET: documents}))


def _lines(attack: Attack | None, adversary: OpenWorldAdversary) -> Iterator[Line]:
    if attack is not None:
        yield measure_line(adversary, PAPER, attack, scores_at_every)
    else:
        yield measure_line(adversary, OURS, SadeVariant.build(recipe="vestige"), scores_at_every)
        yield Line(PRIOR, scores_at_every(adversary.score(adversary.mean_importance())))
        yield Line(CONSTANT, scores_at_every(adversary.score(adversary.constant_words())))


TABLES = {table: Table(title, EVERY, partial(plan, PARTS[table])) for table, title in TITLES.items()}
