#pragma once

#include <map>
#include <string>
#include <vector>

#include "bentwood/model/forest.hpp"
#include "bentwood/model/safetensors.hpp"

namespace bentwood {

/// One array of a model file.
struct TensorFacts {
  std::string name;
  TensorType type;
  std::size_t n_axes;
};

/// The arrays of the trees' own columns: those of 8 bytes, and those of 4.
[[nodiscard]] const std::vector<TensorFacts>& own_wide_facts();
[[nodiscard]] const std::vector<TensorFacts>& own_narrow_facts();

/// Their bytes, in the order of the facts.
[[nodiscard]] std::vector<std::string> own_wide_bytes(const Forest& forest);
[[nodiscard]] std::vector<std::string> own_narrow_bytes(const Forest& forest);

/// Gives trees that were read the columns of their own. The arrays have the right types and numbers of axes. Throws FormatError where
/// they do not fit each other; whether the columns make sense is for check_tree to say.
void read_own_columns(const std::map<std::string, Tensor>& tensors, std::vector<Tree>& trees);

/// The numbers of a list of begins: from 0 to `size`, never less than the one before. Throws FormatError.
[[nodiscard]] std::vector<std::uint64_t> read_begins(const Tensor& tensor, const std::string& name,
                                                     std::uint64_t size);

}  // namespace bentwood
