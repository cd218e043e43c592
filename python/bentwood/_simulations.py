"""The simulations of Geodesic Forests, a part of bentwood.datasets.

Madhyastha et al., "Geodesic Forests", KDD 2020: points of three columns with a structure that is
known, among columns of noise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arguments import as_count, as_jobs, as_number
from bentwood._arrays import Matrix, Vector
from bentwood._random import as_seed

Labels = npt.NDArray[np.int64]


def make_linear(
    n_samples: int = 1000,
    *,
    n_noise: int = 0,
    noise_variance: float = 70.0,
    random_state: Any = None,
    n_jobs: int | None = -1,
) -> tuple[Matrix, Vector]:
    """Draw points of the segment (4t, 6t, 9t), t uniform on [0, 1), among noise.

    One of the four simulations of Madhyastha et al., "Geodesic Forests", KDD 2020.

    Parameters
    ----------
    n_samples : int
        The number of rows.
    n_noise : int
        Columns of independent normal noise after the first three.
    noise_variance : float
        The variance of each of them.
    random_state : int, RandomState, Generator or None
        The same integer gives the same data.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    Returns
    -------
    X : ndarray of shape (n_samples, 3 + n_noise)
        The points.
    arc_length : ndarray of shape (n_samples,)
        Positions along the segment: geodesic distances are their differences.

    """
    return _core.linear(*_latent(n_samples, n_noise, noise_variance, random_state, n_jobs))


def make_helix(
    n_samples: int = 1000,
    *,
    n_noise: int = 0,
    noise_variance: float = 70.0,
    random_state: Any = None,
    n_jobs: int | None = -1,
) -> tuple[Matrix, Vector]:
    """Draw points of the helix (t cos t, t sin t, t), t uniform on [2π, 9π), among noise.

    One of the four simulations of Madhyastha et al., "Geodesic Forests", KDD 2020.

    Parameters
    ----------
    n_samples : int
        The number of rows.
    n_noise : int
        Columns of independent normal noise after the first three.
    noise_variance : float
        The variance of each of them.
    random_state : int, RandomState, Generator or None
        The same integer gives the same data.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    Returns
    -------
    X : ndarray of shape (n_samples, 3 + n_noise)
        The points.
    arc_length : ndarray of shape (n_samples,)
        Positions along the helix: geodesic distances are their differences.

    """
    return _core.helix(*_latent(n_samples, n_noise, noise_variance, random_state, n_jobs))


def make_sphere(
    n_samples: int = 1000,
    *,
    n_noise: int = 0,
    noise_variance: float = 70.0,
    random_state: Any = None,
    n_jobs: int | None = -1,
) -> tuple[Matrix, Matrix]:
    """Draw points of the sphere of radius 9, both angles uniform, among columns of noise.

    One of the four simulations of Madhyastha et al., "Geodesic Forests", KDD 2020. The poles are
    denser than the equator, as there; :func:`bentwood.datasets.make_uniform` is uniform in area.

    Parameters
    ----------
    n_samples : int
        The number of rows.
    n_noise : int
        Columns of independent normal noise after the first three.
    noise_variance : float
        The variance of each of them.
    random_state : int, RandomState, Generator or None
        The same integer gives the same data.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    Returns
    -------
    X : ndarray of shape (n_samples, 3 + n_noise)
        The points.
    directions : ndarray of shape (n_samples, 3)
        Unit vectors: geodesic distances are 9 times the angles between them.

    """
    X = _core.sphere(*_latent(n_samples, n_noise, noise_variance, random_state, n_jobs))
    return X, X[:, :3] / 9.0


def make_three_gaussians(
    n_samples: int = 1000,
    *,
    n_noise: int = 0,
    noise_variance: float = 70.0,
    random_state: Any = None,
    n_jobs: int | None = -1,
) -> tuple[Matrix, Labels]:
    """Draw three normal clouds of unit covariance among columns of noise.

    One of the four simulations of Madhyastha et al., "Geodesic Forests", KDD 2020: the clouds are
    around (0, 0, 0), (3, 3, 3) and (-3, -3, -3) with probabilities 0.3, 0.3 and 0.4.

    Parameters
    ----------
    n_samples : int
        The number of rows.
    n_noise : int
        Columns of independent normal noise after the first three.
    noise_variance : float
        The variance of each of them.
    random_state : int, RandomState, Generator or None
        The same integer gives the same data.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    Returns
    -------
    X : ndarray of shape (n_samples, 3 + n_noise)
        The points.
    y : ndarray of shape (n_samples,)
        The cloud of each row; rows of one cloud are neighbours.

    """
    return _core.three_gaussians(*_latent(n_samples, n_noise, noise_variance, random_state, n_jobs))


def _latent(
    n_samples: int, n_noise: int, noise_variance: float, random_state: Any, n_jobs: int | None
) -> tuple[int, int, float, int, int | None]:
    return (
        as_count(n_samples, "n_samples"),
        as_count(n_noise, "n_noise"),
        as_number(noise_variance, "noise_variance"),
        as_seed(random_state),
        as_jobs(n_jobs),
    )
