#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/membership.hpp"

namespace bentwood::python {

namespace nb = nanobind;

/// Arrays as the Python layer (bentwood/_arrays.py) hands them over: float64, C order, aligned. They are
/// viewed where they are. Bind such arguments with `.noconvert()`: a copy here would hide a bug there.
using InputMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using InputVector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using OutputMatrix = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;
template <class T>
using OutputVector = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

/// A view that lives as long as the array does.
inline MatrixView view(const InputMatrix& array) {
  return {array.data(), array.shape(0), array.shape(1)};
}
inline std::span<const double> view(const InputVector& array) {
  return {array.data(), array.shape(0)};
}

/// Reads the second result of `as_matrix`.
inline Precision parse_precision(std::string_view text) {
  for (const Precision precision : {Precision::float64, Precision::float32, Precision::float16}) {
    if (text == name(precision)) {
      return precision;
    }
  }
  throw InvalidInput("unknown precision '" + std::string(text) + "'");
}

/// A view of points with the precision they had before they became float64.
inline Points points(const InputMatrix& array, std::string_view precision) {
  return {view(array), parse_precision(precision)};
}

/// The text of a path: it arrives as os.fsencode makes it, because file names need not be UTF-8.
inline std::string text_of(const nb::bytes& path) { return {path.c_str(), path.size()}; }

/// Keeps a C++ object alive for as long as a NumPy array refers to it.
template <class T>
nb::capsule owner_of(std::unique_ptr<T> object) {
  nb::capsule owner(object.get(), [](void* pointer) noexcept { delete static_cast<T*>(pointer); });
  static_cast<void>(object.release());
  return owner;
}

/// Moves a matrix out to NumPy; the numbers stay where they are.
inline OutputMatrix to_numpy(Matrix matrix) {
  auto kept = std::make_unique<Matrix>(std::move(matrix));
  double* data = kept->data();
  const std::size_t n_rows = kept->n_rows();
  const std::size_t n_cols = kept->n_cols();
  return OutputMatrix(data, {n_rows, n_cols}, owner_of(std::move(kept)));
}

/// Moves a vector out to NumPy; the numbers stay where they are.
template <class T>
OutputVector<T> to_numpy(std::vector<T> values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* data = kept->data();
  const std::size_t size = kept->size();
  return OutputVector<T>(data, {size}, owner_of(std::move(kept)));
}

}  // namespace bentwood::python
