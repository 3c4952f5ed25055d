"""The defenses by name, and from a spec string such as "rounding:2" or "laplace:eps=1" to one of them."""

import inspect
from typing import Any

from vestige.defenses.defense import Defense
from vestige.errors import InputError
from vestige.registry import Entry, Registry, nearest

DEFENSES = Registry(
    "defense",
    {
        "rounding": Entry("vestige.defenses.rounding:Rounding", "rounding:DECIMALS (Pan et al. 2020)"),
        "laplace": Entry(
            "vestige.defenses.laplace:Laplace",
            "laplace:EPSILON, noise by how far a word moves a vector (Pan et al. 2020; Chen 2023)",
        ),
        "gaussian": Entry(
            "vestige.defenses.gaussian:Gaussian",
            "gaussian:EPSILON,delta=1e-5,norm=1, differential privacy of a whole text (Balle and Wang 2018)",
        ),
        "metric": Entry(
            "vestige.defenses.metric_laplace:MetricLaplace",
            "metric:EPSILON, privacy in proportion to the distance of unit vectors (Feyisetan et al. 2020)",
        ),
        "vmf": Entry(
            "vestige.defenses.von_mises_fisher:VonMisesFisher",
            "vmf:EPSILON, the same by a draw around each vector (Weggenmann and Kerschbaum 2021)",
        ),
        "ppm": Entry(
            "vestige.defenses.privacy_mapping:PrivacyMapping",
            "ppm:FIDELITY, a network trained against an adversary; needs labels (Pan et al. 2020)",
        ),
        "subspace": Entry(
            "vestige.defenses.subspace:SubspaceProjection",
            "directions of labels projected out; as published subspace:SHARE,scatter=within,norm=true (Pan et al.)",
        ),
        "leace": Entry(
            "vestige.defenses.leace:Leace",
            "no linear classifier tells the labels; needs labels (Belrose et al. 2023)",
            needs="concept_erasure",
            extra="leace",
            strict=False,
        ),
        "projection": Entry(
            "vestige.defenses.random_projection:RandomProjection", "projection:DIMENSION, at random (Chen 2023)"
        ),
        "pca": Entry("vestige.defenses.pca:PrincipalComponents", "pca:DIMENSION (Chen 2023)"),
        "autoencoder": Entry("vestige.defenses.autoencoder:Autoencoder", "autoencoder:DIMENSION (Chen 2023)"),
        "rotation": Entry("vestige.defenses.rotation:RandomRotation", "a secret rotation: obscurity only"),
        "int8": Entry("vestige.defenses.int8:Int8", "a byte a number, as vector stores keep it"),
        "binary": Entry("vestige.defenses.binary:Binary", "a bit a number, as vector stores keep it"),
        "pq": Entry(
            "vestige.defenses.product:ProductQuantisation",
            "pq:PARTS, product quantisation as vector stores keep it",
            needs="faiss",
            extra="faiss",
            strict=False,
        ),
    },
)


def make_defense(spec: str) -> Defense:
    """The unfitted defense that a spec names.

    After the colon stand settings, parted by commas: `name=value`, where the name may be cut short ("eps"), or first a
    bare value for the defense's strength.
    """
    family, _, written = spec.partition(":")
    kind = DEFENSES[family].load()
    settings = {}
    for place, part in enumerate(written.split(",") if written else []):
        name, found, value = part.partition("=")
        if not found and (place or not kind.strength):
            raise InputError(f"defense '{spec}' has '{part}' where a setting is due; expected name=value")
        settings[_full_name(spec, kind, name) if found else kind.strength] = _value(value if found else part)
    defense: Defense = kind(**settings)
    defense.check_settings()
    return defense


def _full_name(spec: str, kind: type[Defense], short: str) -> str:
    """The one setting that begins so."""
    names = list(inspect.signature(kind).parameters)
    fitting = [name for name in names if name.startswith(short.strip())]
    if short in names or len(fitting) == 1:
        return short if short in names else fitting[0]
    raise InputError(f"defense '{spec}' has no single setting '{short}'; {nearest(short, names)}")


def _value(written: str) -> Any:
    """A number where it is one, else the word."""
    for number in (int, float):
        try:
            return number(written)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(written.strip().lower(), written.strip())
