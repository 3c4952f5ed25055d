"""Sparse coding, pure maths: which few atoms of a dictionary make up a vector? Every target is solved by itself."""

from typing import TYPE_CHECKING

from vestige.attacks.convergence import Convergence

if TYPE_CHECKING:
    from torch import Tensor


def projected_adam(
    atoms: "Tensor", targets: "Tensor", *, penalty: float, rate: float = 1e-3, steps: int = 5000
) -> "Tensor":
    """Minimise |z·atoms - target|² + penalty·|z|₁ over z >= 0, as Song and Raghunathan have it (Eq. 7).

    Adam from z = 0, every coefficient below zero set to zero after each step, until convergence, or for `steps` at
    most. (targets, d) in, (targets, atoms) out.
    """
    import torch

    codes = torch.zeros(len(targets), len(atoms), dtype=atoms.dtype)
    first, second = torch.zeros_like(codes), torch.zeros_like(codes)
    progress = Convergence(codes, steps)
    for step in range(1, steps + 1):
        gradient = (codes @ atoms - targets) @ (2 * atoms.T) + penalty
        first.lerp_(gradient, 0.1)
        second.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
        size = (second / (1 - 0.999**step)).sqrt_().add_(1e-8)
        codes.addcdiv_(first, size, value=-rate / (1 - 0.9**step)).clamp_(min=0)
        if progress.due(step):
            objective = (codes @ atoms - targets).square().sum(dim=1) + penalty * codes.sum(dim=1)
            if progress.look(codes, objective):
                break
    return progress.state


def mean_field(
    gram: "Tensor", correlations: "Tensor", amplitudes: "Tensor", log_odds: "Tensor", *, sweeps: int
) -> "Tensor":
    """The log odds that each atom is part of its target, given that the others are as likely as they are.

    The model: target = Σ s·amplitude·atom + noise of unit covariance, s 0 or 1 with prior `log_odds`. Mean-field
    variational inference: each chance in turn is set to what the expectation of all others makes it, `sweeps` times
    over, likeliest atoms first if they stand first. `gram` is (targets, atoms, atoms), all else (targets, atoms);
    `correlations` are atom·target.
    """
    import torch

    own = gram.diagonal(dim1=1, dim2=2) * amplitudes
    bias = log_odds - 0.5 * own * amplitudes
    expected = log_odds.sigmoid() * amplitudes
    explained = (gram @ expected[:, :, None])[:, :, 0]
    columns = gram.transpose(0, 1).contiguous()
    for _ in range(sweeps):
        for atom in range(gram.shape[1]):
            mine = expected[:, atom]
            amplitude = amplitudes[:, atom]
            rest = correlations[:, atom] - explained[:, atom]
            chance = (bias[:, atom] + amplitude * rest + own[:, atom] * mine).sigmoid_()
            change = chance.mul_(amplitude).sub_(mine)
            explained.addcmul_(columns[atom], change[:, None])
            expected[:, atom] += change
    return torch.addcmul(bias, amplitudes, correlations - explained) + own * expected
