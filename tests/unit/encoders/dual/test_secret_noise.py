"""Noise of private training."""

from vestige.encoders.dual.secret_noise import SecretNoise


def test_noise_is_standard_normal_and_secret():
    found = SecretNoise(3).normals(20_001)
    assert abs(found.mean()) < 0.03
    assert abs(found.std() - 1) < 0.03
    assert (found == SecretNoise(3).normals(20_001)).all()
    assert (SecretNoise(None).normals(5) != SecretNoise(None).normals(5)).any()
    assert sorted(SecretNoise(1).permute(7)) == list(range(7))
