"""Vestige tells the owner of text embeddings what a stranger could read out of them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vestige.attacks.decoder import DecoderInverter as DecoderInverter
    from vestige.attacks.fingerprint import Fingerprinter as Fingerprinter
    from vestige.attacks.guided.inverter import GuidedInverter as GuidedInverter
    from vestige.attacks.keywords import DomainAdversarialKeyword as DomainAdversarialKeyword
    from vestige.attacks.keywords import KeywordInference as KeywordInference
    from vestige.attacks.multilabel import MultiLabelInverter as MultiLabelInverter
    from vestige.attacks.multiset.inverter import MultiSetInverter as MultiSetInverter
    from vestige.attacks.patterns import PatternReconstructor as PatternReconstructor
    from vestige.attacks.relaxed import RelaxedInverter as RelaxedInverter
    from vestige.attacks.sparse import SparseInverter as SparseInverter
    from vestige.audit.canaries import plant_canaries as plant_canaries
    from vestige.audit.canary_exposure import canary_exposure as canary_exposure
    from vestige.audit.library import fingerprint as fingerprint
    from vestige.audit.result import AuditResult as AuditResult
    from vestige.audit.settings import Settings as Settings
    from vestige.encoders.load import load_encoder as load_encoder
    from vestige.encoders.metered import Metered as Metered
    from vestige.encoders.white_box import white_box as white_box
    from vestige.errors import BudgetExceeded as BudgetExceeded
    from vestige.errors import InputError as InputError
    from vestige.report.as_json import read_result as read_result
    from vestige.report.write import write_report as write_report
    from vestige.text.corpus import Corpus as Corpus
    from vestige.text.named import load_corpus as load_corpus
    from vestige.text.patterns import load_pattern as load_pattern
    from vestige.types import Score as Score

__version__ = "0.1.0"

_PUBLIC = {
    "AuditResult": "vestige.audit.result",
    "BudgetExceeded": "vestige.errors",
    "Corpus": "vestige.text.corpus",
    "InputError": "vestige.errors",
    "Metered": "vestige.encoders.metered",
    "DecoderInverter": "vestige.attacks.decoder",
    "DomainAdversarialKeyword": "vestige.attacks.keywords",
    "Fingerprinter": "vestige.attacks.fingerprint",
    "GuidedInverter": "vestige.attacks.guided.inverter",
    "KeywordInference": "vestige.attacks.keywords",
    "MultiSetInverter": "vestige.attacks.multiset.inverter",
    "PatternReconstructor": "vestige.attacks.patterns",
    "RelaxedInverter": "vestige.attacks.relaxed",
    "SparseInverter": "vestige.attacks.sparse",
    "MultiLabelInverter": "vestige.attacks.multilabel",
    "Score": "vestige.types",
    "Settings": "vestige.audit.settings",
    "canary_exposure": "vestige.audit.canary_exposure",
    "fingerprint": "vestige.audit.library",
    "load_corpus": "vestige.text.named",
    "load_encoder": "vestige.encoders.load",
    "load_pattern": "vestige.text.patterns",
    "plant_canaries": "vestige.audit.canaries",
    "read_result": "vestige.report.as_json",
    "white_box": "vestige.encoders.white_box",
    "write_report": "vestige.report.write",
}

__all__ = ["__version__", "audit", *sorted(_PUBLIC)]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for, so that importing the package stays light."""
    if name == "audit":
        return import_module("vestige.audit")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'vestige' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return __all__
