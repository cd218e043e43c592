#pragma once

#include <cstddef>

namespace bentwood {

/// Bytes of memory that this process can have without pushing others out: what the system says is available, with free swap
/// space, and at most the limit of the control group (the container) and of the address space. An estimate: it changes from
/// moment to moment.
[[nodiscard]] std::size_t available_memory();

}  // namespace bentwood
