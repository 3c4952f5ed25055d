"""Vestige measures what an attacker can recover from text embeddings, and finds the cheapest effective defense."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vestige.attacks.attributes.inference import AttributeInference as AttributeInference
    from vestige.attacks.decoder import DecoderInverter as DecoderInverter
    from vestige.attacks.fingerprint.fingerprinter import Fingerprinter as Fingerprinter
    from vestige.attacks.guided.inverter import GuidedInverter as GuidedInverter
    from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword as DomainAdversarialKeyword
    from vestige.attacks.keywords.inference import KeywordInference as KeywordInference
    from vestige.attacks.membership.canary import SecretRanking as SecretRanking
    from vestige.attacks.membership.index import IndexMembership as IndexMembership
    from vestige.attacks.membership.pairs import GroupMembership as GroupMembership
    from vestige.attacks.membership.pairs import PairMembership as PairMembership
    from vestige.attacks.membership.words import WordMembership as WordMembership
    from vestige.attacks.multilabel import MultiLabelInverter as MultiLabelInverter
    from vestige.attacks.multiset.inverter import MultiSetInverter as MultiSetInverter
    from vestige.attacks.patterns.reconstructor import PatternReconstructor as PatternReconstructor
    from vestige.attacks.relaxed import RelaxedInverter as RelaxedInverter
    from vestige.attacks.sparse import SparseInverter as SparseInverter
    from vestige.attacks.surrogate.attack import SurrogateAttack as SurrogateAttack
    from vestige.audit.canaries import plant_canaries as plant_canaries
    from vestige.audit.canary_exposure import canary_exposure as canary_exposure
    from vestige.audit.compare import compare as compare
    from vestige.audit.comparison import Comparison as Comparison
    from vestige.audit.result import AuditResult as AuditResult
    from vestige.audit.run import audit as audit
    from vestige.case.encoder_fingerprint import fingerprint as fingerprint
    from vestige.case.settings import Settings as Settings
    from vestige.defend.judge import judge as judge
    from vestige.defend.judge_record import JudgeResult as JudgeResult
    from vestige.defend.record import DefendResult as DefendResult
    from vestige.defend.run import defend as defend
    from vestige.defenses.catalogue import make_defense as make_defense
    from vestige.defenses.saved import load_defense as load_defense
    from vestige.encoders.load import load_encoder as load_encoder
    from vestige.encoders.metered import Metered as Metered
    from vestige.encoders.white_box import white_box as white_box
    from vestige.errors import BudgetExceeded as BudgetExceeded
    from vestige.errors import InputError as InputError
    from vestige.leaderboard.record import Leaderboard as Leaderboard
    from vestige.leaderboard.run import leaderboard as leaderboard
    from vestige.metrics.attribute_curve import Labelled as Labelled
    from vestige.metrics.attribute_curve import accuracy_by_classes as accuracy_by_classes
    from vestige.metrics.attribute_curve import accuracy_by_labels as accuracy_by_labels
    from vestige.metrics.membership.summary import membership as membership
    from vestige.report.read import read_comparison as read_comparison
    from vestige.report.read import read_frontier as read_frontier
    from vestige.report.read import read_judgement as read_judgement
    from vestige.report.read import read_leaderboard as read_leaderboard
    from vestige.report.read import read_result as read_result
    from vestige.report.write import write_comparison as write_comparison
    from vestige.report.write import write_frontier as write_frontier
    from vestige.report.write import write_judgement as write_judgement
    from vestige.report.write import write_leaderboard as write_leaderboard
    from vestige.report.write import write_report as write_report
    from vestige.stores.load import open_store as open_store
    from vestige.text.authors import split_by_author as split_by_author
    from vestige.text.corpora import load_corpus as load_corpus
    from vestige.text.corpus import Corpus as Corpus
    from vestige.text.importance import ImportantWords as ImportantWords
    from vestige.text.importance import KeyBertImportance as KeyBertImportance
    from vestige.text.importance import TfidfImportance as TfidfImportance
    from vestige.text.importance import YakeImportance as YakeImportance
    from vestige.text.patterns import load_pattern as load_pattern
    from vestige.types import Score as Score

__version__ = "0.1.0"

_PUBLIC = {
    "AttributeInference": "vestige.attacks.attributes.inference",
    "AuditResult": "vestige.audit.result",
    "BudgetExceeded": "vestige.errors",
    "Comparison": "vestige.audit.comparison",
    "Corpus": "vestige.text.corpus",
    "DecoderInverter": "vestige.attacks.decoder",
    "DefendResult": "vestige.defend.record",
    "DomainAdversarialKeyword": "vestige.attacks.keywords.domain_adversarial",
    "Fingerprinter": "vestige.attacks.fingerprint.fingerprinter",
    "GroupMembership": "vestige.attacks.membership.pairs",
    "GuidedInverter": "vestige.attacks.guided.inverter",
    "ImportantWords": "vestige.text.importance",
    "IndexMembership": "vestige.attacks.membership.index",
    "InputError": "vestige.errors",
    "JudgeResult": "vestige.defend.judge_record",
    "KeyBertImportance": "vestige.text.importance",
    "KeywordInference": "vestige.attacks.keywords.inference",
    "Labelled": "vestige.metrics.attribute_curve",
    "Leaderboard": "vestige.leaderboard.record",
    "Metered": "vestige.encoders.metered",
    "MultiLabelInverter": "vestige.attacks.multilabel",
    "MultiSetInverter": "vestige.attacks.multiset.inverter",
    "PairMembership": "vestige.attacks.membership.pairs",
    "PatternReconstructor": "vestige.attacks.patterns.reconstructor",
    "RelaxedInverter": "vestige.attacks.relaxed",
    "Score": "vestige.types",
    "SecretRanking": "vestige.attacks.membership.canary",
    "Settings": "vestige.case.settings",
    "SparseInverter": "vestige.attacks.sparse",
    "SurrogateAttack": "vestige.attacks.surrogate.attack",
    "TfidfImportance": "vestige.text.importance",
    "WordMembership": "vestige.attacks.membership.words",
    "YakeImportance": "vestige.text.importance",
    "accuracy_by_classes": "vestige.metrics.attribute_curve",
    "accuracy_by_labels": "vestige.metrics.attribute_curve",
    "canary_exposure": "vestige.audit.canary_exposure",
    "compare": "vestige.audit.compare",
    "fingerprint": "vestige.case.encoder_fingerprint",
    "judge": "vestige.defend.judge",
    "load_corpus": "vestige.text.corpora",
    "load_defense": "vestige.defenses.saved",
    "load_encoder": "vestige.encoders.load",
    "load_pattern": "vestige.text.patterns",
    "make_defense": "vestige.defenses.catalogue",
    "membership": "vestige.metrics.membership.summary",
    "open_store": "vestige.stores.load",
    "plant_canaries": "vestige.audit.canaries",
    "read_comparison": "vestige.report.read",
    "read_frontier": "vestige.report.read",
    "read_judgement": "vestige.report.read",
    "read_leaderboard": "vestige.report.read",
    "read_result": "vestige.report.read",
    "split_by_author": "vestige.text.authors",
    "white_box": "vestige.encoders.white_box",
    "write_comparison": "vestige.report.write",
    "write_frontier": "vestige.report.write",
    "write_judgement": "vestige.report.write",
    "write_leaderboard": "vestige.report.write",
    "write_report": "vestige.report.write",
}

_VERBS = ("audit", "defend", "leaderboard")
"""Packages that can be called; see `vestige.callable_package`."""

__all__ = ["__version__", *sorted((*_VERBS, *_PUBLIC))]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that importing the package stays light."""
    if name in _VERBS:
        return import_module(f"vestige.{name}")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'vestige' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return __all__
