"""bentwood._arrays: what users may pass as points, and what they read when it is something else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from bentwood._arrays import as_matrix, as_vector

VALUES = np.arange(6.0).reshape(3, 2)


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.flags.writeable = False
    return array


def unaligned(array: np.ndarray) -> np.ndarray:
    buffer = bytearray(array.nbytes + 1)
    shifted = np.frombuffer(buffer, dtype=np.uint8)[1:].view(array.dtype).reshape(array.shape)
    shifted[:] = array
    return shifted


ACCEPTED = {
    "float64": (VALUES, "float64"),
    "float32": (VALUES.astype(np.float32), "float32"),
    "float16": (VALUES.astype(np.float16), "float16"),
    "long double": (VALUES.astype(np.longdouble), "float64"),
    "int64": (VALUES.astype(np.int64), "float64"),
    "uint8": (VALUES.astype(np.uint8), "float64"),
    "big-endian": (VALUES.astype(">f8"), "float64"),
    "list": (VALUES.tolist(), "float64"),
    "tuples of int": (((0, 1), (2, 3), (4, 5)), "float64"),
    "np.matrix-like Fortran order": (np.asfortranarray(VALUES), "float64"),
    "every second column": (np.repeat(VALUES, 2, axis=1)[:, ::2], "float64"),
    "rows backwards twice": (VALUES[::-1].copy()[::-1], "float64"),
    "read-only": (read_only(VALUES), "float64"),
    "unaligned": (unaligned(VALUES), "float64"),
    "unmasked masked array": (np.ma.array(VALUES), "float64"),
    "pandas": (pd.DataFrame(VALUES, columns=["a", "b"]), "float64"),
    "pandas float32": (pd.DataFrame(VALUES.astype(np.float32)), "float32"),
    "pandas nullable": (pd.DataFrame(VALUES).astype("Float64"), "float64"),
    "pandas mixed": (pd.DataFrame({"a": [0, 2, 4], "b": [1.0, 3.0, 5.0]}), "float64"),
    "polars": (pl.DataFrame(VALUES, schema=["a", "b"]), "float64"),
    "polars float32": (pl.DataFrame(VALUES.astype(np.float32), schema=["a", "b"]), "float32"),
}


@pytest.mark.parametrize(("given", "precision"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_numbers_of_any_type_and_layout_become_the_same_float64_matrix(
    given: Any, precision: str
) -> None:
    matrix, found = as_matrix(given)
    assert found == precision
    assert type(matrix) is np.ndarray
    assert matrix.dtype == np.float64
    assert matrix.flags.c_contiguous
    assert matrix.flags.aligned
    np.testing.assert_array_equal(matrix, VALUES)


def test_booleans_are_zeros_and_ones() -> None:
    matrix, precision = as_matrix([[True, False]])
    assert precision == "float64"
    np.testing.assert_array_equal(matrix, [[1.0, 0.0]])


def test_a_broadcast_row_becomes_a_real_matrix() -> None:
    matrix, _ = as_matrix(np.broadcast_to([1.0, 2.0], (1000, 2)))
    assert matrix.strides == (16, 8)
    np.testing.assert_array_equal(matrix, np.tile([1.0, 2.0], (1000, 1)))


def test_missing_values_of_a_nullable_frame_become_nan() -> None:
    matrix, _ = as_matrix(pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}))
    np.testing.assert_array_equal(matrix, [[1.0], [np.nan]])


@pytest.mark.parametrize("given", [VALUES, read_only(VALUES), VALUES[1:], np.empty((0, 3))])
def test_a_float64_matrix_in_c_order_is_not_copied(given: np.ndarray) -> None:
    matrix, _ = as_matrix(given)
    assert matrix is given


OBJECTS = np.array([[1.0, "a"]], dtype=object)
REFUSED = {
    "complex": (VALUES + 1j, TypeError, "X has dtype complex128, expected real numbers"),
    "object": (OBJECTS, TypeError, "X has dtype object, expected real numbers"),
    "text": ([["a", "b"]], TypeError, "X has dtype <U1, expected real numbers"),
    "bytes": (np.array([[b"a"]]), TypeError, "X has dtype |S1, expected real numbers"),
    "dates": (
        np.array([["2024-01-01"]], dtype="M8[D]"),
        TypeError,
        "X has dtype datetime64[D], expected real numbers",
    ),
    "frame with text": (
        pd.DataFrame({"a": [1.0], "b": ["c"]}),
        TypeError,
        "X has dtype object, expected real numbers",
    ),
    "none": (None, TypeError, "X has dtype object, expected real numbers"),
    "sparse": (
        sparse.csr_matrix(VALUES),
        TypeError,
        "X is a sparse matrix, expected a dense array; pass X.toarray() if it fits in memory",
    ),
    "sparse array": (
        sparse.coo_array(VALUES),
        TypeError,
        "X is a sparse matrix, expected a dense array; pass X.toarray() if it fits in memory",
    ),
    "ragged": (
        [[1.0], [1.0, 2.0]],
        ValueError,
        "X is not a matrix: its rows have different lengths",
    ),
    "masked": (
        np.ma.array(VALUES, mask=VALUES > 4),
        ValueError,
        "X has masked entries, expected numbers; fill or drop them first",
    ),
    "number": (1.0, ValueError, "X has shape (), expected two dimensions (rows, columns)"),
    "vector": (
        [1.0, 2.0],
        ValueError,
        "X has shape (2,), expected two dimensions (rows, columns); "
        "for a single point pass X.reshape(1, -1)",
    ),
    "cube": (
        np.zeros((2, 3, 4)),
        ValueError,
        "X has shape (2, 3, 4), expected two dimensions (rows, columns)",
    ),
}


@pytest.mark.parametrize(("given", "error", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_a_matrix_of_numbers_is_refused_in_one_line(
    given: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as raised:
        as_matrix(given)
    assert str(raised.value) == message


def test_the_message_names_the_argument() -> None:
    with pytest.raises(ValueError, match=r"^Y has shape \(1,\)"):
        as_matrix([1.0], "Y")


def test_a_vector_has_one_dimension_and_the_size_asked_for() -> None:
    np.testing.assert_array_equal(as_vector([1, 2], "weights"), [1.0, 2.0])
    with pytest.raises(ValueError, match=r"^weights has shape \(1, 2\), expected one dimension$"):
        as_vector([[1, 2]], "weights")
    with pytest.raises(ValueError, match=r"^weights has 2 entries, expected 3$"):
        as_vector([1, 2], "weights", 3)
    with pytest.raises(TypeError, match=r"^weights has dtype complex128, expected real numbers$"):
        as_vector([1j], "weights")
