"""Song's Figure 2: what can be read out of the states of each layer of a transformer."""

from collections.abc import Iterator
from dataclasses import replace

from vestige.papers.curves import curves_of
from vestige.papers.published import published
from vestige.papers.record import Findings, Line, Plot, Row
from vestige.papers.song2020.attacks import NOTHING, SAME_ONLY, WHITE_BOX, lines
from vestige.papers.song2020.texts import MODELS, Texts, read_texts, white_box_differs
from vestige.papers.table import Run
from vestige.papers.victims import Absent, Victim, at_layer, victim

DEEP = ("BERT", "ALBERT")
EVERY_LAYER_UP_TO = 6
FEWEST = 12


def figure2(run: Run) -> Findings:
    """White-box inversion of the states of each layer, with auxiliary text of the same domain."""
    # Relaxation is dear, and here it is done once a layer.
    run = replace(run, sizes=replace(run.sizes, relaxed=max(FEWEST, run.sizes.relaxed // 2)))
    texts = read_texts(run)
    rows = [row for model in DEEP for row in _rows(run, model, texts)]
    rows.sort(key=lambda row: list(WHITE_BOX).index(row.section))
    differs = (
        *texts.differs,
        *white_box_differs(run.sizes),
        "The models here have six layers, and each is attacked; the paper attacks every other of twelve. Its figure "
        "prints no values; what is known of it is its last layer, which Table 1 has.",
    )
    return Findings(tuple(rows), differs, tuple(_plots(rows)))


def _rows(run: Run, model: str, texts: Texts) -> Iterator[Row]:
    printed = {section: rows[model] for section, rows in published("song2020", "figure2").items()}
    whole = victim(run, model, MODELS[model])
    if isinstance(whole, Absent):
        for section, known in printed.items():
            yield Row(section, model, whole.here, known, (), f"left out: {whole.reason}")
        return
    depth = whole.box.layers
    layers = range(0, depth + 1, 1 if depth <= EVERY_LAYER_UP_TO else 2)
    advance = run.progress(f"figure2, layers of {whole.here}", len(layers))
    for layer in layers:
        there = _victim_at(run, model, layer)
        for section, attack in WHITE_BOX.items():
            known = printed[section] if layer == depth else NOTHING
            found = lines(run, replace(attack, domains=SAME_ONLY), there, texts)
            measured = tuple(Line(line.by, line.scores[:3]) for line in found)
            yield Row(section, f"{model}, layer {layer}", there.here, known, measured)
        advance(1)


def _victim_at(run: Run, model: str, layer: int) -> Victim:
    spec = at_layer(run.encoders.get(model, MODELS[model]), layer)
    there = victim(replace(run, encoders={model: spec}), model, spec)
    assert isinstance(there, Victim)
    return there


def _plots(rows: list[Row]) -> Iterator[Plot]:
    for model in DEEP:
        measured = [row for row in rows if row.lines and row.model.startswith(f"{model},")]
        for column, name in enumerate(("precision", "recall", "F1") if measured else ()):
            places = [(float(row.model.rpartition(" ")[2]), row.section, row.lines) for row in measured]
            yield Plot(f"{name} by layer, {model}", "layer", name, curves_of(places, column))
