"""The device that a network computes on."""

from platform import node
from typing import TYPE_CHECKING, Literal, get_args

from vestige.errors import InputError

if TYPE_CHECKING:
    import torch

Device = Literal["auto", "cpu", "cuda", "mps"]
"""`auto` takes the first that is present of a CUDA card, Apple's Metal and the processor."""

NamedDevice = Literal["cpu", "cuda", "mps"]
"""A device that is the same on every machine, so that vectors can be too."""


def choose_device(name: Device) -> "torch.device":
    """The device of this name; an error where the machine has none."""
    import torch

    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if name == "auto":
        return torch.device(next(device for device, is_present in present.items() if is_present))
    if name not in present:
        allowed = " or ".join(map(repr, get_args(Device)))
        raise InputError(f"The 'device' parameter must be {allowed}. Got {name!r} instead.")
    if not present[name]:
        raise InputError(
            f"The 'device' parameter is {name!r}, which torch {torch.__version__} does not find on the machine "
            f"{node()}; use 'cpu', or install a torch that supports the device."
        )
    return torch.device(name)


def check_processor(device: Device, work: str) -> None:
    """Raise unless the device is the processor, which `work` needs."""
    if device != "cpu":
        raise InputError(f"The 'device' parameter is {device!r}, and {work} computes on the processor; use 'cpu'.")
