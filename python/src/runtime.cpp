#include "python/src/runtime.hpp"

#include <exception>
#include <stdexcept>

#include "bentwood/base/error.hpp"

namespace bentwood::python {
namespace {

namespace nb = nanobind;

/// OSError, or the subclass that Python has for the number. With the number as an argument the message
/// would begin with "[Errno 2]", so it only chooses the class and becomes an attribute.
void set_os_error(const IoError& error) {
  const nb::object base = nb::borrow(PyExc_OSError);
  const nb::object by_number =
      error.number() == 0 ? base(error.what()) : base(error.number(), error.what());
  const nb::object raised = by_number.type()(error.what());
  if (error.number() != 0) {
    raised.attr("errno") = error.number();
  }
  PyErr_SetObject(raised.type().ptr(), raised.ptr());
}

void raise_as_python(const std::exception_ptr& exception, void* /*payload*/) {
  try {
    std::rethrow_exception(exception);
  } catch (const Interrupted& error) {
    // A handler of the user's own may have raised something else: that is what must arrive.
    if (PyErr_Occurred() == nullptr) {
      PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
    }
  } catch (const IoError& error) {
    set_os_error(error);
  } catch (const std::length_error&) {
    PyErr_SetString(PyExc_MemoryError, "not enough memory");
  } catch (const Error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  }
}

}  // namespace

std::size_t n_threads(std::optional<int> n_jobs) {
  if (n_jobs == 0) {
    throw InvalidInput("n_jobs is 0, expected a number of threads, or -1 for all cores");
  }
  return asked_thread_limit(n_jobs.value_or(-1));
}

bool signal_handler_raised() {
  return with_gil([] { return PyErr_CheckSignals() != 0; });
}

void translate_exceptions() { nanobind::register_exception_translator(raise_as_python); }

}  // namespace bentwood::python
