#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/file.hpp"
#include "bentwood/model/safetensors.hpp"
#include "python/src/arrays.hpp"
#include "python/src/runtime.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bentwood::python {
namespace {

void throw_error(const std::string& kind) {
  if (kind == "InvalidInput") {
    throw InvalidInput("a message");
  }
  if (kind == "FormatError") {
    throw FormatError("a message");
  }
  if (kind == "IoError") {
    throw IoError("a message");
  }
  if (kind == "Interrupted") {
    throw Interrupted();
  }
  if (kind == "length_error") {
    throw std::length_error("a message");
  }
  throw std::bad_alloc();
}

/// Works for `seconds` in blocks of a millisecond on the threads that n_jobs allows; returns how many.
std::size_t work(double seconds, std::optional<int> n_jobs) {
  return compute(n_jobs, [&] {
    const std::size_t n_threads = thread_count();
    const auto n_blocks = static_cast<std::size_t>(seconds * 1e3) * n_threads;
    parallel_blocks(n_blocks, 1, [](std::size_t, std::size_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    return n_threads;
  });
}

Matrix counting_matrix(std::size_t n_rows, std::size_t n_cols) {
  Matrix matrix(n_rows, n_cols);
  for (std::size_t item = 0; item < n_rows * n_cols; ++item) {
    matrix.data()[item] = static_cast<double>(item);
  }
  return matrix;
}

/// An array of a model file: name, type, shape, bytes.
using GivenTensor = std::tuple<std::string, std::string, std::vector<std::uint64_t>, nb::bytes>;

/// A model file of any contents, whose checksums are right.
nb::bytes sealed(const std::map<std::string, std::string>& metadata,
                 const std::vector<GivenTensor>& tensors) {
  constexpr std::array<std::string_view, 4> types{"F64", "I32", "U32", "U64"};
  Safetensors file;
  file.metadata = metadata;
  std::vector<std::string> order;
  for (const auto& [name, type, shape, bytes] : tensors) {
    const auto* const found = std::ranges::find(types, type);
    file.tensors[name] = {static_cast<TensorType>(found - types.begin()), shape,
                          std::string_view(bytes.c_str(), bytes.size())};
    order.push_back(name);
  }
  std::string result = sealed_header(file, order);
  for (const std::string& name : order) {
    result += file.tensors.at(name).bytes;
  }
  return nb::bytes(result.data(), result.size());
}

}  // namespace
}  // namespace bentwood::python

NB_MODULE(_bentwood_testing, module) {
  using namespace bentwood::python;
  translate_exceptions();
  module.def("throw_error", &throw_error, "kind"_a);
  module.def("work", &work, "seconds"_a, "n_jobs"_a = nb::none());
  module.def("n_threads", &n_threads, "n_jobs"_a.none());
  module.def(
      "address_of_matrix",
      [](const InputMatrix& x) { return reinterpret_cast<std::uintptr_t>(view(x).data()); },
      nb::arg("x").noconvert());
  module.def(
      "element",
      [](const InputMatrix& x, std::size_t row, std::size_t col) { return view(x)(row, col); },
      nb::arg("x").noconvert(), "row"_a, "col"_a);
  module.def("last", [](const InputVector& x) { return view(x).back(); }, nb::arg("x").noconvert());
  module.def("is_float32", [](const InputMatrix& x, const std::string& precision) {
    return points(x, precision).precision == bentwood::Precision::float32;
  });
  module.def("counting_matrix", [](std::size_t n_rows, std::size_t n_cols) {
    return to_numpy(compute([&] { return counting_matrix(n_rows, n_cols); }));
  });
  module.def("library_values", [](const std::string& path, const InputMatrix& points) {
    return to_numpy(compute(
        [&] { return bentwood::predict_values(bentwood::load(path), view(points)).values; }));
  });
  module.def("sealed", &sealed, "metadata"_a, "tensors"_a);
  module.def("bytes", [](std::size_t size) {
    return to_numpy(std::vector<std::uint8_t>(size, std::uint8_t{7}));
  });
}
