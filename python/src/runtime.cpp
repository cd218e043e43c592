#include "python/src/runtime.hpp"

#include <algorithm>
#include <exception>

#include "bentwood/base/error.hpp"

namespace bentwood::python {
namespace {

void raise_as_python(const std::exception_ptr& exception, void* /*payload*/) {
  try {
    std::rethrow_exception(exception);
  } catch (const Interrupted& error) {
    // A handler of the user's own may have raised something else: that is what must arrive.
    if (PyErr_Occurred() == nullptr) {
      PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
    }
  } catch (const IoError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (const Error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  }
}

}  // namespace

std::size_t n_threads(std::optional<int> n_jobs) {
  if (!n_jobs || *n_jobs == -1) {
    return 0;
  }
  if (*n_jobs == 0) {
    throw InvalidInput("n_jobs is 0, expected a number of threads, or -1 or None for all cores");
  }
  if (*n_jobs > 0) {
    return static_cast<std::size_t>(*n_jobs);
  }
  const auto n_cores = static_cast<long>(thread_count());
  return static_cast<std::size_t>(std::max(1L, n_cores + 1 + *n_jobs));
}

bool signal_handler_raised() {
  const nanobind::gil_scoped_acquire acquired;
  return PyErr_CheckSignals() != 0;
}

void translate_exceptions() { nanobind::register_exception_translator(raise_as_python); }

}  // namespace bentwood::python
