"""Skip-thought and InferSent folders with tiny random weights."""

from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

VOCABULARY = ["UNK", "the", "bank", "my", "account", "closed", "."]
WIDTH, UNI, BI, LSTM = 3, 6, 4, 5


def tiny_skip_thought(folder: Path) -> Path:
    """The published files, of a dictionary of seven words."""
    rng = np.random.default_rng(0)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dictionary.txt").write_text("\n".join(VOCABULARY) + "\n")
    for table in ("utable", "btable"):
        np.save(folder / f"{table}.npy", rng.normal(size=(len(VOCABULARY), WIDTH)).astype(np.float32))
    np.savez(folder / "uni_skip.npz", **_gru(rng, "encoder", UNI))
    np.savez(folder / "bi_skip.npz", **_gru(rng, "encoder", BI), **_gru(rng, "encoder_r", BI))
    return folder


def _gru(rng: np.random.Generator, prefix: str, units: int) -> dict[str, np.ndarray]:
    shapes = {
        "W": (WIDTH, 2 * units),
        "b": (2 * units,),
        "U": (units, 2 * units),
        "Wx": (WIDTH, units),
        "bx": (units,),
        "Ux": (units, units),
    }
    return {f"{prefix}_{name}": rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def tiny_infersent(folder: Path) -> Path:
    """Converted weights, and vectors of a few words."""
    rng = np.random.default_rng(0)
    folder.mkdir(parents=True, exist_ok=True)
    shapes = {
        "weight_ih": (4 * LSTM, WIDTH),
        "weight_hh": (4 * LSTM, LSTM),
        "bias_ih": (4 * LSTM,),
        "bias_hh": (4 * LSTM,),
    }
    save_file(
        {
            f"enc_lstm.{name}_l0{ending}": rng.normal(size=shape).astype(np.float32)
            for ending in ("", "_reverse")
            for name, shape in shapes.items()
        },
        folder / "infersent.safetensors",
    )
    words = ["<s>", "</s>", *VOCABULARY[1:]]
    lines = [f"{word} {' '.join(f'{value:.4f}' for value in rng.normal(size=WIDTH))}" for word in words]
    (folder / "vectors.txt").write_text("\n".join(lines) + "\n")
    return folder
