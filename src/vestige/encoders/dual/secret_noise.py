"""Random numbers for private training that nobody can recognise or repeat."""

from hashlib import sha256
from secrets import token_bytes

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

from vestige.types import Floats


class SecretNoise:
    """Uniform and normal numbers from AES in counter mode, under a key that nobody knows unless a seed is given.

    The output of common generators can be recognised (docs/decisions/noise.md).
    """

    def __init__(self, seed: int | None) -> None:
        key = token_bytes(32) if seed is None else sha256(f"vestige private training {seed}".encode()).digest()
        self._stream = Cipher(AES(key), CTR(bytes(16))).encryptor()

    def uniforms(self, count: int) -> Floats:
        """Between 0 and 1, never 0 or 1."""
        words = np.frombuffer(self._stream.update(bytes(8 * count)), np.uint64)
        return np.asarray(((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53)

    def normals(self, count: int) -> Floats:
        """Standard normal numbers (Box and Muller)."""
        half = -(-count // 2)
        radius, angle = np.sqrt(-2 * np.log(self.uniforms(half))), 2 * np.pi * self.uniforms(half)
        return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:count]

    def permute(self, count: int) -> list[int]:
        """Numbers below `count` in a random order."""
        return [int(place) for place in np.argsort(self.uniforms(count))]
