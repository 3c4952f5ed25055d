"""Which encoder made these vectors?"""

from vestige.attacks.fingerprint.fingerprinter import Fingerprinter

__all__ = ["Fingerprinter"]
