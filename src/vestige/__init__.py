"""Vestige tells the owner of text embeddings what a stranger could read out of them."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "AuditResult": "vestige.audit.result",
    "BudgetExceeded": "vestige.errors",
    "Corpus": "vestige.text.corpus",
    "InputError": "vestige.errors",
    "MultiLabelInverter": "vestige.attacks.multilabel",
    "Score": "vestige.types",
    "Settings": "vestige.audit.settings",
    "load_corpus": "vestige.text.named",
    "load_encoder": "vestige.encoders.load",
    "read_result": "vestige.report.as_json",
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
