#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <optional>
#include <utility>

#include "bentwood/base/parallel.hpp"

namespace bentwood::python {

/// The thread limit that `n_jobs` asks for (asked_thread_limit), nothing meaning all cores: what Python's None means is
/// decided above. Throws InvalidInput for 0.
[[nodiscard]] std::size_t n_threads(std::optional<int> n_jobs);

/// Has a signal handler of Python's raised (Ctrl-C: KeyboardInterrupt)? Takes the GIL to find out; where
/// the answer is yes the Python exception stays set on this thread.
[[nodiscard]] bool signal_handler_raised();

/// Lets the errors of the library leave a module as Python exceptions: InvalidInput and FormatError as
/// ValueError, IoError as OSError or the subclass of its number, Interrupted as KeyboardInterrupt;
/// std::length_error, which means an absurd size, as MemoryError like std::bad_alloc.
void translate_exceptions();

/// While it lives, Python's other threads run (the GIL is released) and Ctrl-C stops the work.
class Computation {
 public:
  explicit Computation(std::optional<int> n_jobs)
      : limit_(n_threads(n_jobs)), check_(signal_handler_raised) {}

 private:
  nanobind::gil_scoped_release released_;
  ThreadLimit limit_;
  InterruptCheck check_;
};

/// Calls `work`, which must not touch Python objects, as every long call of a binding is made:
///
///     return to_numpy(compute(n_jobs, [&] { return manifold.pairwise_distance(x, y); }));
template <class Work>
auto compute(std::optional<int> n_jobs, Work&& work) {
  const Computation computation(n_jobs);
  return std::forward<Work>(work)();
}

template <class Work>
auto compute(Work&& work) {
  return compute(std::nullopt, std::forward<Work>(work));
}

}  // namespace bentwood::python
