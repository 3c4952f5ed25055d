"""Song's Figure 2: what can be read out of the states of each layer of a transformer."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from vestige.papers.curves import Measured, curves_of
from vestige.papers.published import published
from vestige.papers.record import Findings, Line, Plot
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.song2020.attacks import NOTHING, SAME_ONLY, WHITE_BOX, Attack, lines
from vestige.papers.song2020.differs import differs, layers_differ, white_box_differs
from vestige.papers.song2020.texts import MODELS, Sizes, Texts, read_texts
from vestige.papers.specs import at_layer
from vestige.papers.victims import Absent, Victim, victim, victims

DEEP = ("BERT", "ALBERT")
EVERY_LAYER_UP_TO = 6
FEWEST = 12


def figure2(run: Run[Sizes]) -> Findings:
    """White-box inversion of the states of each layer, with auxiliary text of the same domain."""
    # Relaxation is dear, and here it is done once a layer.
    run = replace(run, sizes=replace(run.sizes, relaxed=max(FEWEST, run.sizes.relaxed // 2)))
    texts = read_texts(run)
    targets = victims(run, {model: MODELS[model] for model in DEEP}, texts.encoded)
    by_model = {target.model: list(_measured(run, target, texts)) for target in targets}
    rows = [one.row for measured in by_model.values() for one in measured]
    rows.sort(key=lambda row: list(WHITE_BOX).index(row.section))
    told = differs(run, texts, targets) + white_box_differs(run.sizes) + layers_differ()
    return Findings(tuple(rows), told, tuple(_plots(by_model)))


def _measured(run: Run[Sizes], target: Victim | Absent, texts: Texts) -> Iterator[Measured]:
    """The rows of a model, with the layer of each; one for each attack where the model is left out."""
    printed = {section: rows[target.model] for section, rows in published("song2020", "figure2").items()}
    if isinstance(target, Absent):
        for section, known in printed.items():
            place = Place("figure2", section, target.model, known)
            yield Measured(0, section, row_of(run, place, target, texts, lambda _target: ()))
        return
    depth = target.box.layers
    layers = sorted({*range(0, depth, 1 if depth <= EVERY_LAYER_UP_TO else 2), depth})
    advance = run.progress(f"figure2, layers of {target.here}", len(layers))
    for layer in layers:
        there = _victim_at(run, target.model, layer)
        for section, attack in WHITE_BOX.items():
            known = printed[section] if layer == depth else NOTHING
            place = Place("figure2", section, f"{target.model}, layer {layer}", known)
            yield Measured(layer, section, row_of(run, place, there, texts, _same_domain(run, attack, texts)))
        advance(1)


def _same_domain(run: Run[Sizes], attack: Attack, texts: Texts) -> Callable[[Victim], Iterator[Line]]:
    """The attack with auxiliary text of the same domain alone: three figures a line."""

    def made(target: Victim) -> Iterator[Line]:
        for line in lines(run, replace(attack, domains=SAME_ONLY), texts, target):
            yield Line(line.by, line.scores[:3])

    return made


def _victim_at(run: Run[Sizes], model: str, layer: int) -> Victim:
    spec = at_layer(run.encoders.get(model, MODELS[model]), layer)
    there = victim(replace(run, encoders={model: spec}), model, spec)
    assert isinstance(there, Victim)
    return there


def _plots(by_model: dict[str, list[Measured]]) -> Iterator[Plot]:
    for model, measured in by_model.items():
        for column, name in enumerate(("precision", "recall", "F1")):
            if curves := curves_of(measured, column):
                yield Plot(f"{name} by layer, {model}", "layer", name, curves)
