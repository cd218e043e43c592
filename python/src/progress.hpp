#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <functional>
#include <optional>

#include "python/src/runtime.hpp"

namespace bentwood::python {

using Progress = std::function<void(std::size_t)>;
using Callback = nanobind::typed<nanobind::callable, void(std::size_t)>;

/// A function of Python's as one that may be called without the GIL. It must be destroyed with it.
inline Progress progress_of(const std::optional<Callback>& callback) {
  if (!callback) {
    return {};
  }
  return [function = *callback](std::size_t n_done) { with_gil([&] { function(n_done); }); };
}

}  // namespace bentwood::python
