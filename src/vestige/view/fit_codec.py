"""Fitted attacks as JSON and arrays, and back. Nothing is pickled: only the classes listed here are ever built."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from vestige.attacks.attributes.class_kernel import KernelChoice, KernelModel
from vestige.attacks.attributes.class_model import (
    CalibratedModel,
    Choice,
    ClassModel,
    ClassModelSettings,
    EvidenceStrength,
)
from vestige.attacks.attributes.inference import AttributeInference
from vestige.attacks.fingerprint.fingerprinter import Fingerprinter
from vestige.attacks.fingerprint.portrait import DirectionSpread, Portrait
from vestige.attacks.fingerprint.verdict import PortraitJudge
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.attacks.guided.lexicon import BigramModel, Lexicon, WordStock
from vestige.attacks.kernel_ridge import KernelMap
from vestige.attacks.keywords.inference import KeywordInference
from vestige.attacks.keywords.kernel import KernelHeads
from vestige.attacks.keywords.linear_heads import LinearHeads
from vestige.attacks.linear_words import WordScorer
from vestige.attacks.multiset.additive import AdditiveModel, GreedyDecoder, SizeRegressor
from vestige.attacks.multiset.closed_form import ClosedFormDecoder
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.sparse_columns import KeptColumns
from vestige.attacks.thresholding import Calibration, Decision
from vestige.probes.attribute_inference import LabelledRows
from vestige.text.vocabulary import Vocabulary

Arrays = dict[str, npt.NDArray[Any]]

RECORDS = (
    *(AdditiveModel, CalibratedModel, Calibration, Choice, ClassModel, ClassModelSettings, ClosedFormDecoder, Decision),
    *(DirectionSpread, KeptColumns, LabelledRows, Lexicon, LinearHeads, Portrait, PortraitJudge, SizeRegressor),
    *(EvidenceStrength, KernelChoice, KernelHeads, KernelMap, KernelModel, Vocabulary, WordScorer, WordStock),
)
"""Records, which their fields make up."""

BUILT: dict[type, tuple[str, ...]] = {GreedyDecoder: ("model", "most", "at_once")}
"""Classes that are built from these attributes again; the others follow from them."""

ATTACKS = (AttributeInference, BigramModel, Fingerprinter, GuidedInverter, KeywordInference, MultiSetInverter)
"""Classes with settings and what they learned, which all of their attributes make up."""

NOT_KEPT = {"encoder_"}
"""What is given to a restored attack anew."""

CLASSES: dict[str, type] = {kind.__name__: kind for kind in (*RECORDS, *BUILT, *ATTACKS)}


def pack(value: Any) -> tuple[Any, Arrays]:
    """A fitted value as plain JSON and the arrays that it refers to; TypeError if it has a part of unknown kind."""
    packer = _Packer()
    return packer.pack(value), packer.arrays


def unpack(plain: Any, arrays: Arrays) -> Any:
    """The value that was packed; KeyError, TypeError or ValueError if these are not the parts of one."""
    if plain is None or isinstance(plain, str | bool | int | float):
        return plain
    tag, *parts = plain
    return _READERS[tag](arrays, *parts)


@dataclass
class _Packer:
    """Collects arrays under numbers as names."""

    arrays: Arrays = field(default_factory=dict)

    def pack(self, value: Any) -> Any:
        if value is None or type(value) in (str, bool, int, float):
            return value
        if isinstance(value, np.ndarray | np.generic):
            return ["array" if isinstance(value, np.ndarray) else "number", self._keep(np.asarray(value))]
        if sparse.issparse(value):
            table = sparse.csr_array(value)
            return ["table", list(table.shape), *map(self._keep, (table.data, table.indices, table.indptr))]
        if isinstance(value, dict):
            return ["dict", [[self.pack(key), self.pack(item)] for key, item in value.items()]]
        if type(value) in (list, tuple):
            return [type(value).__name__, [self.pack(item) for item in value]]
        if isinstance(value, frozenset):
            return ["set", sorted(value)]
        return ["object", type(value).__name__, {name: self.pack(item) for name, item in _list_parts(value).items()}]

    def _keep(self, array: npt.NDArray[Any]) -> str:
        name = str(len(self.arrays))
        self.arrays[name] = np.asarray(array, order="C")
        return name


def _list_parts(value: Any) -> dict[str, Any]:
    kind = type(value)
    if CLASSES.get(kind.__name__) is not kind:
        raise TypeError(f"a {kind.__module__}.{kind.__qualname__} cannot be kept; add it to the listed classes")
    if kind in BUILT:
        return {name: getattr(value, name) for name in BUILT[kind]}
    if is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in fields(value) if each.init}
    return {name: item for name, item in vars(value).items() if name not in NOT_KEPT}


def _build(arrays: Arrays, name: str, parts: dict[str, Any]) -> Any:
    kind = CLASSES[name]
    read = {part: unpack(item, arrays) for part, item in parts.items()}
    if kind not in ATTACKS:
        return kind(**read)
    built = object.__new__(kind)
    vars(built).update(read)
    return built


def _build_table(arrays: Arrays, shape: list[int], *names: str) -> sparse.csr_array:
    return sparse.csr_array(tuple(arrays[name] for name in names), shape=tuple(shape))


_READERS: dict[str, Callable[..., Any]] = {
    "array": lambda arrays, name: arrays[name],
    "number": lambda arrays, name: arrays[name][()],
    "table": _build_table,
    "dict": lambda arrays, items: {unpack(key, arrays): unpack(item, arrays) for key, item in items},
    "list": lambda arrays, items: [unpack(item, arrays) for item in items],
    "tuple": lambda arrays, items: tuple(unpack(item, arrays) for item in items),
    "set": lambda _arrays, items: frozenset(items),
    "object": _build,
}
