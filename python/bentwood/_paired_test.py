"""The comparison of two methods, a part of bentwood.metrics."""

from __future__ import annotations

from typing import NamedTuple

import numpy.typing as npt

from bentwood import _core
from bentwood._arguments import as_number
from bentwood._arrays import as_vector


class PairedTTest(NamedTuple):
    """What :func:`paired_t_test` says."""

    mean_difference: float
    """The mean of first - second."""
    t: float
    """The mean difference in units of its standard error."""
    degrees_of_freedom: int
    """One less than there are folds."""
    p_value: float
    """How probable a t at least as far from 0 is where the methods do not differ."""
    confidence_interval: tuple[float, float]
    """Where the true mean difference is, with the confidence that was asked for."""
    confidence: float
    """The confidence of the interval."""

    def __repr__(self) -> str:
        """Return the numbers, rounded for reading."""
        low, high = self.confidence_interval
        return (
            f"PairedTTest(mean_difference={self.mean_difference:.4g}, t={self.t:.4g}, "
            f"degrees_of_freedom={self.degrees_of_freedom}, p_value={self.p_value:.4g}, "
            f"confidence_interval=({low:.4g}, {high:.4g}), confidence={self.confidence:g})"
        )


def paired_t_test(
    first: npt.ArrayLike, second: npt.ArrayLike, *, confidence: float = 0.95
) -> PairedTTest:
    """Test whether two methods, scored on the same folds, differ (two-tailed).

    Parameters
    ----------
    first : array-like of shape (n_folds,)
        The scores of one method.
    second : array-like of shape (n_folds,)
        The scores of the other on the same folds.
    confidence : float
        How sure the interval of the mean difference is.

    Returns
    -------
    PairedTTest
        Where all differences are equal up to rounding there is no spread to compare with: then the
        p-value is 1 where they are 0, and 0 otherwise.

    Examples
    --------
    >>> from bentwood.metrics import paired_t_test
    >>> test = paired_t_test([0.91, 0.93, 0.90, 0.95], [0.88, 0.90, 0.88, 0.91])
    >>> round(test.p_value, 4)
    0.0052

    """
    confidence = as_number(confidence, "confidence")
    mean, t, degrees_of_freedom, p_value, low, high = _core.paired_t_test(
        as_vector(first, "first"), as_vector(second, "second"), confidence
    )
    return PairedTTest(mean, t, degrees_of_freedom, p_value, (low, high), confidence)
