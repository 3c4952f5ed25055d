"""How time and memory of the inversions grow with pairs, vocabulary and targets: exponents, and a plot for the docs.

Each point runs in its own process. An exponent is the slope of the logarithms over the largest three sizes.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from bench.growth_plot import draw_charts
from bench.harness import own_peak, own_size
from bench.invert import build_film_case
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.sparse import SparseInverter
from vestige.case.case import Auxiliary, Case
from vestige.case.randomness import stream
from vestige.encoders.load import load_encoder
from vestige.encoders.white_box import white_box
from vestige.types import Vectors

PICTURE = Path("growth.svg")
KINDS: dict[str, Any] = {"multi-label": MultiLabelInverter, "multi-set": MultiSetInverter, "sparse": SparseInverter}
USUAL = {"pairs": 10_000, "vocabulary": 4000, "targets": 1000}
SIZES = {
    "pairs": (2500, 5000, 10_000, 20_000),
    "vocabulary": (2000, 4000, 8000, 16_000),
    "targets": (1000, 2000, 4000, 8000),
}
WARMING = 500
WORK = {"pairs": "fit", "vocabulary": "fit", "targets": "infer"}


@dataclass(frozen=True)
class Measurement:
    """Seconds of the work, and the MiB that it allocated at its peak."""

    seconds: float
    memory: float


def run() -> Iterator[str]:
    name, case = build_film_case()
    yield f"growth on {name}: usual sizes {USUAL}"
    found: dict[str, dict[tuple[str, str], list[float]]] = {"seconds": {}, "MiB": {}}
    for varied, sizes in SIZES.items():
        for attack in KINDS:
            points = [_measure_in_process(attack, case, varied, size) for size in sizes]
            seconds, memory = [point.seconds for point in points], [point.memory for point in points]
            found["seconds"][attack, varied], found["MiB"][attack, varied] = seconds, memory
            yield (
                f"  {attack}, {WORK[varied]} against {varied} {sizes}: {_format(seconds, '.1f')} s, "
                f"exponent {_exponent(sizes, seconds):.2f}; {_format(memory, '.0f')} MiB, "
                f"exponent {_exponent(sizes, memory):.2f}"
            )
    PICTURE.write_text(draw_charts(SIZES, tuple(KINDS), WORK, found), encoding="utf-8")
    yield f"  drawn to {PICTURE}"


def _measure_in_process(attack: str, case: Case, varied: str, size: int) -> Measurement:
    known = case.auxiliary["same-domain"]
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as process:
        sizes = USUAL | {varied: size}
        return process.submit(measure, attack, known, case.targets, **sizes, work=WORK[varied]).result()


def measure(
    attack: str, known: Auxiliary, attacked: Vectors, *, pairs: int, vocabulary: int, targets: int, work: str
) -> Measurement:
    """Fit on so many pairs, then infer; only the given part of the `work` is measured.

    A small fit runs first, so that what libraries load on first use is not counted as the attack's memory.
    """
    attacked = np.resize(attacked, (targets, attacked.shape[1]))
    inside: dict[str, Any] = {"box": white_box(load_encoder("minilm"))} if attack == "sparse" else {}

    def fit(rows: int, words: int) -> Any:
        held = known.vectors[:rows], known.texts[:rows]
        inverter = KINDS[attack](vocabulary_size=words)
        return inverter.fit(*held, rng=stream(0, "attack"), documents=known.documents[:rows], **inside)

    fit(WARMING, WARMING).infer(attacked[:10])
    if work == "fit":
        return _measure_work(lambda: fit(pairs, vocabulary))
    inverter = fit(pairs, vocabulary)
    inverter.infer(attacked[:10])
    return _measure_work(lambda: inverter.infer(attacked))


def _measure_work(work: Callable[[], object]) -> Measurement:
    Path("/proc/self/clear_refs").write_text("5")
    before, start = own_size(), time.perf_counter()
    work()
    return Measurement(time.perf_counter() - start, own_peak() - before)


def _exponent(sizes: tuple[int, ...], values: list[float]) -> float:
    return float(np.polyfit(np.log(sizes[-3:]), np.log(np.maximum(values[-3:], 1e-3)), 1)[0])


def _format(values: list[float], form: str) -> str:
    return ", ".join(format(value, form) for value in values)
