"""Figure 2: inversion of the states of each layer of a transformer (Song and Raghunathan 2020, Section 6.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from vestige.papers.published import Columns, Sections
from vestige.papers.record import Line, Plot
from vestige.papers.rows import MeasuredRow, Place, PlannedRow, draw_curves, plan_row
from vestige.papers.run import PaperRun
from vestige.papers.song2020.attacks import (
    EQUATION_6,
    LOWER_LAYER,
    NOTHING,
    SAME_ONLY,
    SCORE_COLUMNS,
    WHITE_BOX,
    InversionAttack,
    attack_lines,
)
from vestige.papers.song2020.notes import text_notes, white_box_notes
from vestige.papers.song2020.setup import LAYERED, SongSizes
from vestige.papers.song2020.texts import InversionTexts, read_texts
from vestige.papers.table import Plan, Table
from vestige.papers.victims import MissingModel, Victim, load_victim, load_victims, spec_at_layer

DEEP = ("BERT", "ALBERT", "MPNet")
ATTACKS = {"Equation 5": WHITE_BOX["Equation 5"], "Equation 6": EQUATION_6, "Equation 7": WHITE_BOX["Equation 7"]}
EVERY_LAYER_UP_TO = 6
FEWEST = 12


def plan(run: PaperRun[SongSizes], printed: Sections) -> Plan:
    """White-box inversion of the states of each layer, with auxiliary text of the same domain."""
    # Relaxation is expensive, and it runs once per layer here.
    run = replace(run, sizes=replace(run.sizes, relaxed=max(FEWEST, run.sizes.relaxed // 2)))
    texts = read_texts(run)
    targets = load_victims(run, {model: LAYERED[model] for model in DEEP}, texts.encoded)
    notes = text_notes(run, texts, targets) + white_box_notes(run.sizes) + _layer_notes()
    figures = {model: {section: rows[model] for section, rows in printed.items()} for model in targets}
    rows = (row for model, target in targets.items() for row in _plan_model(run, figures[model], target, texts))
    total = sum(_count_rows(target) for target in targets.values())
    return Plan(rows, notes, plots=partial(_plots, list(targets)), sections=list(ATTACKS), total=total)


def _count_rows(target: Victim | MissingModel) -> int:
    """The rows of a model; a missing one has one per attack."""
    if isinstance(target, MissingModel):
        return len(ATTACKS)
    return sum(len(_list_sections(layer)) for layer in _choose_layers(target))


def _choose_layers(target: Victim) -> list[int]:
    """The layers to attack."""
    depth = target.box.layers
    return sorted({*range(0, depth, 1 if depth <= EVERY_LAYER_UP_TO else 2), depth})


def _plan_model(
    run: PaperRun[SongSizes], figures: dict[str, Columns], target: Victim | MissingModel, texts: InversionTexts
) -> Iterator[PlannedRow]:
    """One row per layer and attack. Each layer is loaded when its rows are next, so that one is in memory at a time."""
    if isinstance(target, MissingModel):
        for section, published in figures.items():
            yield plan_row(Place(section, target.model, published), target, texts, lambda _target: ())
        return
    layers = _choose_layers(target)
    for layer in layers:
        at_layer = _load_at_layer(run, target.model, layer)
        for section in _list_sections(layer):
            published = figures[section] if layer == layers[-1] else NOTHING
            place = Place(section, f"{target.model}, layer {layer}", published, layer, section)
            yield plan_row(place, at_layer, texts, partial(_same_domain, run, ATTACKS[section], texts))


def _list_sections(layer: int) -> list[str]:
    """The attacks on a layer; Equation 6 goes down to a lower one."""
    return [section for section in ATTACKS if section != "Equation 6" or layer > LOWER_LAYER]


def _same_domain(
    run: PaperRun[SongSizes], attack: InversionAttack, texts: InversionTexts, target: Victim
) -> Iterator[Line]:
    """The attack with auxiliary text of the same domain only: three scores per line."""
    for line in attack_lines(run, replace(attack, domains=SAME_ONLY), texts, target):
        yield replace(line, scores=line.scores[: len(SCORE_COLUMNS)])


def _load_at_layer(run: PaperRun[SongSizes], model: str, layer: int) -> Victim:
    spec = spec_at_layer(run.encoders.get(model, LAYERED[model]), layer)
    loaded = load_victim(replace(run, encoders={model: spec}), model, spec)
    assert isinstance(loaded, Victim)
    return loaded


def _plots(models: Sequence[str], measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    for model in models:
        of_model = [one for one in measured if one.place.model.partition(",")[0] == model]
        for column, name in enumerate(SCORE_COLUMNS):
            if curves := draw_curves(of_model, column):
                yield Plot(f"{name} by layer, {model}", "layer", name, curves)


def _layer_notes() -> tuple[str, ...]:
    """How Figure 2 differs from the paper."""
    return (
        "Every layer is attacked where there are at most six, else every other; the paper attacks every other of "
        "twelve. Its figure prints no values; the published ones are those of the last layer, from Table 1. MPNet "
        "is not in the paper; it has twelve layers, as the paper's models have.",
        f"Equation 6 maps a vector down to the mean state of layer {LOWER_LAYER} before the descent; the paper "
        "does not say to which layer, and prints nothing for it.",
        "Layer 0 here is the input of the first block: words with their positions, after the layer norm, special "
        "tokens included. In the paper it is the mean of the word vectors.",
    )


TABLES = {
    "figure2": Table("Figure 2: inversion of the states of different layers", SCORE_COLUMNS, plan, "layers"),
}
