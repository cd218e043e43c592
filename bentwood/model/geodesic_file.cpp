#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/model/forest_tensors.hpp"
#include "bentwood/model/geodesic_forest.hpp"
#include "bentwood/model/metadata.hpp"
#include "bentwood/model/model.hpp"
#include "bentwood/model/tensor_numbers.hpp"

namespace bentwood {
namespace {

template <class Number>
std::string_view bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

/// The numbers of an array that older files do not have; nothing then.
std::vector<double> doubts(const Safetensors& file) {
  const auto found = file.tensors.find("doubt");
  if (found == file.tensors.end()) {
    return {};
  }
  const Tensor& tensor = found->second;
  if (tensor.type != TensorType::f64 || tensor.shape.size() != 1 || tensor.shape[0] == 0) {
    throw FormatError("tensor \"doubt\" has another type or shape than in a model");
  }
  return numbers<double>(tensor, 0, tensor.shape[0]);
}

const Tensor& table(const Safetensors& file, const std::string& name) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) {
    throw FormatError(fmt::format("tensor \"{}\" is missing", name));
  }
  if (found->second.type != TensorType::u32 || found->second.shape.size() != 2) {
    throw FormatError(fmt::format("tensor \"{}\" has another type or shape than in a model", name));
  }
  return found->second;
}

}  // namespace

std::string to_bytes(const GeodesicForest& forest) {
  check_geodesic_forest(forest);
  const std::vector<std::string> bytes = tensor_bytes(forest.forest);
  const std::size_t n_trees = forest.forest.trees.size();
  Safetensors file;
  file.metadata = metadata(forest);
  std::vector<std::string> order = add_tensors(forest.forest, bytes, file);
  file.tensors["leaf"] = {TensorType::u32, {n_trees, forest.n_rows}, bytes_of(forest.leaves)};
  file.tensors["drawn"] = {
      TensorType::u32, {n_trees, GeodesicForest::n_words(forest.n_rows)}, bytes_of(forest.drawn)};
  order.insert(order.end(), {"leaf", "drawn"});
  if (!forest.doubts.empty()) {
    file.tensors["doubt"] = {TensorType::f64, {forest.doubts.size()}, bytes_of(forest.doubts)};
    // First of all, so that it is aligned.
    order.insert(order.begin(), "doubt");
  }
  std::string result = sealed_header(file, order);
  for (const std::string& name : order) {
    result += file.tensors.at(name).bytes;
  }
  return result;
}

GeodesicForest geodesic_forest(const Safetensors& file, std::size_t n_bytes) {
  constexpr ForestLayout layout{.own = true};
  check_forest_tensors(file.tensors, layout);
  check_tensor_count(file, tensor_facts(layout).size() + (file.tensors.contains("doubt") ? 3 : 2));
  const Tensor& importance = file.tensors.at("importance");
  const Tensor& leaf = table(file, "leaf");
  const Tensor& drawn = table(file, "drawn");
  GeodesicForest result = geodesic_forest_without_trees(
      file.metadata, {importance.shape[0], file.tensors.at("value").shape[1], n_bytes});
  result.forest.importances = numbers<double>(importance, 0, importance.shape[0]);
  result.forest.trees = read_trees(file.tensors, layout);
  const std::size_t n_trees = result.forest.trees.size();
  if (leaf.shape[0] != n_trees || drawn.shape[0] != n_trees) {
    throw FormatError(fmt::format("\"leaf\" and \"drawn\" are of {} and {} trees, there are {}",
                                  leaf.shape[0], drawn.shape[0], n_trees));
  }
  result.n_rows = leaf.shape[1];
  result.leaves = numbers<std::uint32_t>(leaf, 0, leaf.shape[0] * leaf.shape[1]);
  result.drawn = numbers<std::uint32_t>(drawn, 0, drawn.shape[0] * drawn.shape[1]);
  result.doubts = doubts(file);
  check_geodesic_forest(result);
  return result;
}

void save(const GeodesicForest& forest, const std::string& path) {
  const std::string bytes = to_bytes(forest);
  write_file(path, std::span(&bytes, 1));
}

}  // namespace bentwood
