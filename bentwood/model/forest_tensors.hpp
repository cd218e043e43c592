#pragma once

#include <map>
#include <string>
#include <vector>

#include "bentwood/model/forest.hpp"
#include "bentwood/model/own_columns_file.hpp"
#include "bentwood/model/safetensors.hpp"

namespace bentwood {

/// Which arrays the file of a forest has besides those that all have.
struct ForestLayout {
  /// For columns that trees own.
  bool own = false;
  /// For rows of values that are sparse.
  bool sparse = false;
};
[[nodiscard]] ForestLayout layout_of(const Forest& forest);

/// The arrays of a forest, in the order of the file: those of 8 bytes first, so that each is aligned.
[[nodiscard]] std::vector<TensorFacts> tensor_facts(ForestLayout layout);

/// Their bytes, in the order of tensor_facts.
[[nodiscard]] std::vector<std::string> tensor_bytes(const Forest& forest);

/// Puts a forest's arrays into a file, which refers to `bytes`. Returns their names in order.
std::vector<std::string> add_tensors(const Forest& forest, const std::vector<std::string>& bytes,
                                     Safetensors& file);

/// Throws FormatError unless the arrays of tensor_facts are there, and their sizes fit each other.
void check_forest_tensors(const std::map<std::string, Tensor>& tensors, ForestLayout layout);

/// Throws FormatError unless there are so many arrays.
void check_tensor_count(const Safetensors& file, std::size_t expected);

/// The trees of arrays that have been checked. Throws FormatError where they cannot be trees; whether the trees make sense is for
/// check_forest to say.
[[nodiscard]] std::vector<Tree> read_trees(const std::map<std::string, Tensor>& tensors,
                                           ForestLayout layout);

}  // namespace bentwood
