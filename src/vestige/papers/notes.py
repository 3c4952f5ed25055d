"""Notes that several papers share: sentences on how a reproduction differs from the paper."""

from collections.abc import Collection
from math import ceil

from vestige.papers.run import PaperRun
from vestige.papers.victims import Victim, Victims

NOT_CONVERGED = "A training this short has not converged; the row is no verdict on the recipe."


def count_updates(texts: int, epochs: int, batch: int) -> int:
    """How many times a training updates its parameters."""
    return epochs * ceil(texts / batch)


def list_used(run: PaperRun[object], targets: Victims) -> list[Victim]:
    """The encoders that are available, of the models that the run asks for."""
    asked = {model.lower() for model in run.models}
    found = [target for target in targets.values() if isinstance(target, Victim)]
    return [target for target in found if not asked or target.model.lower() in asked]


def describe_named(targets: Victims, names: Collection[str]) -> list[str]:
    """Which encoders the user named, so that they stand in for nothing."""
    known = [f"{model} is {target.here}" for model, target in targets.items() if model in names]
    return [f"Named for this run, and no stand-in: {', '.join(known)}."] if known else []


def explain_missing_corpus(name: str) -> str:
    """Why a section is skipped."""
    package = " or install the package chitchat-dataset" if name == "chat" else ""
    return (
        f"corpus '{name}' is not available; set the environment variable VESTIGE_DATA to the folder that contains it"
        f"{package}"
    )
