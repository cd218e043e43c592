#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "bentwood/geometry/membership.hpp"

namespace bentwood {

/// Keeps among a model's parameters how many training rows were projected onto the manifold. Where none could be, because such rows are an
/// error, there is nothing to keep: it was none.
inline void keep_projected(OffManifold policy, std::size_t n_projected,
                           std::map<std::string, std::string>& parameters) {
  if (policy == OffManifold::project) {
    parameters["n_projected"] = std::to_string(n_projected);
  }
}

}  // namespace bentwood
