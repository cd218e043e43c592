#pragma once

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <cstddef>
#include <optional>
#include <utility>

#include "bentwood/base/parallel.hpp"

namespace bentwood::python {

/// The thread limit that `n_jobs` asks for (asked_thread_limit), nothing meaning all cores: what Python's None means is
/// decided above. Throws InvalidInput for 0.
[[nodiscard]] std::size_t n_threads(std::optional<int> n_jobs);

/// Calls what waits for the GIL, or may do so. While Python ends, it makes daemon threads that wait for the
/// GIL leave by pthread_exit, whose unwinding ends the program in destructors and noexcept functions. Here
/// they sleep until the process is gone, as all of them do from Python 3.14 on.
template <class Work>
auto unless_python_ends(Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const abi::__forced_unwind&) {
    for (;;) {
      pause();
    }
  }
}

/// Holds the GIL, which the thread may have or not have before.
class HeldGil {
 public:
  HeldGil() : state_(unless_python_ends(PyGILState_Ensure)) {}
  ~HeldGil() { PyGILState_Release(state_); }
  HeldGil(const HeldGil&) = delete;
  HeldGil& operator=(const HeldGil&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Calls a function that uses Python, in the middle of work that does not.
template <class Work>
auto with_gil(Work&& work) {
  const HeldGil held;
  return unless_python_ends(std::forward<Work>(work));
}

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
      : limit_(n_threads(n_jobs)), check_(signal_handler_raised), state_(PyEval_SaveThread()) {}
  ~Computation() {
    unless_python_ends([&] { PyEval_RestoreThread(state_); });
  }
  Computation(const Computation&) = delete;
  Computation& operator=(const Computation&) = delete;

 private:
  ThreadLimit limit_;
  InterruptCheck check_;
  PyThreadState* state_;
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
