"""What Vestige writes and reads again: saved encoders, defenses and keys, caches, results and settings."""

import hashlib
import shutil
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.campaign.mutations import Format

ROWS, COLUMNS = 40, 8
VECTORS = np.random.default_rng(0).normal(size=(ROWS, COLUMNS)).astype(np.float32)
TEXTS = [f"letter number {row}, to whom it may concern at the bank" for row in range(ROWS)]
RESULTS = {
    "report": ("tests.sample_result:typical", "read_result"),
    "frontier": ("tests.sample_frontier:crowded", "read_frontier"),
    "compare": ("tests.sample_comparison:compared", "read_comparison"),
    "judge": ("tests.sample_judgement:judged", "read_judgement"),
    "leaderboard": ("tests.sample_leaderboard:board", "read_leaderboard"),
}
"""Results by the name of their file: an example, and the function that reads it."""


def list_own_formats() -> list[Format]:
    """What Vestige itself writes. What is `exact` has a digest."""
    return [
        Format("saved encoder", _write_encoder, _read_encoder, exact=True),
        Format("saved defense", _write_defense, _read_defense, exact=True),
        Format("interrupted encode", _write_interrupted, _read_interrupted, exact=True, slow=2),
        Format("cached finding", _write_finding, _read_finding, exact=True),
        Format("cached vectors", _write_cache, _read_cache, exact=True, slow=2),
        Format("cached fit", _write_fit, _read_fit, exact=True),
        Format("saved inverter", _write_inverter, _read_inverter, exact=True),
        Format("saved redactor", _write_redactor, _read_redactor, exact=True),
        Format("canary key", _write_key, _read_key, exact=True),
        *(Format(f"{name}.json", partial(_write_record, name), partial(_read_record, name)) for name in RESULTS),
        Format("vestige.toml", _write_config, _read_config),
        Format("pattern .toml", _write_pattern, _read_pattern),
    ]


def _write_encoder(folder: Path) -> None:
    from vestige.encoders.saved import save_encoder

    save_encoder(_fit_encoder(), folder / "e")


def _read_encoder(folder: Path) -> object:
    from vestige.encoders.load import load_encoder

    return hashlib.sha256(load_encoder(f"saved:{folder / 'e'}").encode(TEXTS[:5]).tobytes()).hexdigest()


def _write_interrupted(folder: Path) -> None:
    """A run of `encode` that stopped within its second part."""
    from vestige.encoders.unfinished import RefusedTexts

    whole = _fit_encoder()

    class Stopping:
        name, identity, dimension = whole.name, whole.identity, whole.dimension

        def encode(self, texts, *, progress):
            if TEXTS[0] in texts:
                return whole.encode(texts, progress=progress)
            raise RefusedTexts({9: "stopped"}, dict(enumerate(whole.encode(texts[:9]))))

    with suppress(RefusedTexts):
        _encode_letters(Stopping(), folder / "parts")
    assert list(folder.rglob("*.partial"))


def _read_interrupted(folder: Path) -> object:
    """Resume a copy of the run."""
    with TemporaryDirectory(dir=folder.parent) as scratch:
        shutil.copytree(folder / "parts", Path(scratch) / "parts")
        return _encode_letters(_fit_encoder(), Path(scratch) / "parts")


def _fit_encoder():
    from vestige.encoders.bag_of_words import TfidfRecipe
    from vestige.text.corpus import Corpus

    return TfidfRecipe().fit(Corpus("letters", TEXTS), rng=np.random.default_rng(0))


def _encode_letters(encoder, folder: Path) -> str:
    from vestige.encoders.resumable import EncoderSource, cut_texts, encode_parts, read_parts
    from vestige.engine.folders import LocalFolder
    from vestige.engine.parts import MANIFEST, finish

    folder.mkdir(exist_ok=True)
    blocks = [TEXTS[:20], TEXTS[20:]]
    records = encode_parts(EncoderSource.wrap(encoder), cut_texts(blocks), len(blocks), LocalFolder(folder))
    parts = [part.tobytes() for part in read_parts(folder, records)]
    finish(LocalFolder(folder), records, {"counts": [each.detail for each in records]})
    return hashlib.sha256(b"".join([*parts, (folder / MANIFEST).read_bytes()])).hexdigest()


def _write_defense(folder: Path) -> None:
    from vestige.defenses.catalogue import make_defense
    from vestige.defenses.saved import save_defense

    save_defense(make_defense("gaussian:50").fit(VECTORS), folder / "d")


def _read_defense(folder: Path) -> object:
    from vestige.defenses.saved import load_defense

    defense = load_defense(folder / "d")
    return defense.get_params(), hashlib.sha256(defense.transform(VECTORS).tobytes()).hexdigest()


def _write_finding(folder: Path) -> None:
    from vestige.case.cache import write_cached
    from vestige.case.case import Missing

    write_cached(Missing("too few texts", "give more of them"), folder / "finding.json")


def _read_finding(folder: Path) -> object:
    from vestige.case.cache import read_cached
    from vestige.case.case import Missing

    return read_cached(Missing, folder / "finding.json") or Missing("too few texts", "give more of them")


def _write_key(folder: Path) -> None:
    from vestige.audit.canaries import plant_canaries, serialize_key
    from vestige.text.corpus import Corpus

    (folder / "key.json").write_bytes(serialize_key(plant_canaries(Corpus("letters", TEXTS), times=(1, 2)).key))


def _read_key(folder: Path) -> object:
    from vestige.audit.canaries import read_key

    return read_key(folder / "key.json")


def _write_cache(folder: Path) -> None:
    from vestige.encoders.cached import CachedEncoder

    CachedEncoder(_fit_encoder(), folder / "cache", block=15).encode(TEXTS)


def _read_cache(folder: Path) -> object:
    """Encode again with a copy of the cache."""
    from vestige.encoders.cached import CachedEncoder

    with TemporaryDirectory(dir=folder.parent) as scratch:
        shutil.copytree(folder / "cache", Path(scratch) / "cache")
        encoded = CachedEncoder(_fit_encoder(), Path(scratch) / "cache").encode(TEXTS)
        return hashlib.sha256(encoded.tobytes()).hexdigest()


def _write_fit(folder: Path) -> None:
    from vestige.view.fit_cache import FitCache

    FitCache(folder / "fits").write("key", {"rate": 0.5, "vectors": VECTORS})


def _read_fit(folder: Path) -> object:
    """What was fitted; the same, made again, if the cache gives none."""
    from vestige.view.fit_cache import FitCache

    found = FitCache(folder / "fits").read("key") or {"rate": 0.5, "vectors": VECTORS}
    return found["rate"], found["vectors"].tobytes()


def _write_inverter(folder: Path) -> None:
    from vestige.attacks.prefix.inverter import PrefixDecoder
    from vestige.attacks.prefix.saved import SavedInverter, save_inverter

    encoder = _fit_encoder()
    decoder = PrefixDecoder(width=16, layers=1, epochs=1)
    decoder.fit(encoder.encode(TEXTS), TEXTS, rng=np.random.default_rng(0), encoder=encoder)
    save_inverter(SavedInverter(decoder, encoder.name, encoder.identity), folder / "i")


def _read_inverter(folder: Path) -> object:
    from vestige.attacks.prefix.saved import load_inverter

    found = load_inverter(folder / "i")
    weights = b"".join(weight.numpy().tobytes() for weight in found.decoder.network_.state_dict().values())
    return found.encoder, found.identity, hashlib.sha256(weights).hexdigest(), found.decoder.lexicon_.words


def _write_redactor(folder: Path) -> None:
    from vestige.text.redaction import Redactor

    Redactor(("names", "keywords"), "pseudonym", ("bank",), "lists", 7).save(folder / "redactor.json")


def _read_redactor(folder: Path) -> object:
    from vestige.text.redaction import Redactor

    return Redactor.load(folder / "redactor.json")


def _write_record(name: str, folder: Path) -> None:
    from vestige.case.codec import dumps

    module, _, example = RESULTS[name][0].partition(":")
    (folder / f"{name}.json").write_text(dumps(getattr(import_module(module), example)()))


def _read_record(name: str, folder: Path) -> object:
    return type(getattr(import_module("vestige.report.read"), RESULTS[name][1])(folder / f"{name}.json"))


def _write_config(folder: Path) -> None:
    (folder / "vestige.toml").write_text(
        '[audit]\nseed = 3\nfail-on = ["words>0.3"]\n\n[audit.letters]\nsource = "v.npy"\n'
    )


def _read_config(folder: Path) -> object:
    from vestige.config.config_file import read_config

    return sorted(read_config(folder / "vestige.toml").tables)


def _write_pattern(folder: Path) -> None:
    import vestige.text.patterns

    source = Path(vestige.text.patterns.__file__).parent / "shipped" / "phone-number.toml"
    (folder / "p.toml").write_bytes(source.read_bytes())


def _read_pattern(folder: Path) -> object:
    from vestige.text.patterns import load_pattern

    return load_pattern(str(folder / "p.toml")).name
