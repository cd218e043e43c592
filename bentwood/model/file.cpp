#include "bentwood/model/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/input.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/forest_tensors.hpp"
#include "bentwood/model/metadata.hpp"
#include "bentwood/model/model.hpp"
#include "bentwood/model/safetensors.hpp"
#include "bentwood/model/tensor_numbers.hpp"

namespace bentwood {
namespace {

/// The length of a safetensors header, and its first byte.
constexpr std::size_t start_size = 9;

/// The pieces of the file, header first.
std::vector<std::string> pieces(const Forest& forest) {
  check_forest(forest);
  if (forest.task == Task::none) {
    throw FormatError("the forest predicts nothing, expected one that classifies or regresses");
  }
  std::vector<std::string> result = tensor_bytes(forest);
  Safetensors file;
  file.metadata = metadata(forest);
  const std::vector<std::string> order = add_tensors(forest, result, file);
  result.insert(result.begin(), sealed_header(file, order));
  return result;
}

/// `n_bytes` is the length of the file.
Forest forest(const Safetensors& file, std::size_t n_bytes) {
  const ForestLayout layout{.own = splits_have_horospheres(file.metadata),
                            .sparse = file.tensors.contains("share")};
  check_forest_tensors(file.tensors, layout);
  check_tensor_count(file, tensor_facts(layout).size());
  const Tensor& importance = file.tensors.at("importance");
  Forest result = forest_without_trees(
      file.metadata, {importance.shape[0], file.tensors.at("value").shape[1], n_bytes});
  result.importances = numbers<double>(importance, 0, importance.shape[0]);
  result.trees = read_trees(file.tensors, layout);
  check_forest(result);
  return result;
}

Model parse(std::string_view bytes) {
  const Safetensors file = parse_safetensors(bytes);
  const ModelKind kind = check_format(file.metadata);
  check_seals(bytes, file);
  if (kind == ModelKind::horospheres) {
    return horosphere_classifier(file);
  }
  if (kind == ModelKind::linear) {
    return linear_classifier(file);
  }
  if (kind == ModelKind::neighbours) {
    return geodesic_forest(file, bytes.size());
  }
  return forest(file, bytes.size());
}

}  // namespace

std::string to_bytes(const Forest& forest) {
  std::string result;
  const std::vector<std::string> all = pieces(forest);
  std::size_t size = 0;
  for (const std::string& piece : all) {
    size += piece.size();
  }
  result.reserve(size);
  for (const std::string& piece : all) {
    result += piece;
  }
  return result;
}

std::string_view kind_text(const Model& model) {
  constexpr std::array<std::string_view, std::variant_size_v<Model>> names{
      "a forest", "horospheres", "a linear classifier", "a geodesic forest"};
  return names.at(model.index());
}

Model model_from_bytes(std::string_view bytes, const std::string& source) {
  try {
    return parse(bytes);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw FormatError(fmt::format("{}: {}", source, error.what()));
  }
}

Forest from_bytes(std::string_view bytes, const std::string& source) {
  Model model = model_from_bytes(bytes, source);
  if (auto* const found = std::get_if<Forest>(&model)) {
    return std::move(*found);
  }
  throw FormatError(
      fmt::format("{}: holds {}, expected a tree or a forest", source, kind_text(model)));
}

void save(const Forest& forest, const std::string& path) { write_file(path, pieces(forest)); }

void save(const HorosphereClassifier& classifier, const std::string& path) {
  const std::string bytes = to_bytes(classifier);
  write_file(path, std::span(&bytes, 1));
}

Forest load(const std::string& path) {
  const Bytes bytes = read_file(path);
  return from_bytes(bytes.view(), source_name(path));
}

Model load_model(const std::string& path) {
  Input input(path);
  std::size_t n_bytes = 0;
  return load_model(input, n_bytes);
}

Model load_model(Input& input, std::size_t& n_bytes) {
  // Where nobody knows its end, an input may go on for ever.
  if (!input.size() && first_bytes(input, start_size).size() == start_size && !holds_model(input)) {
    throw FormatError(fmt::format("{}: is not a model", input.source()));
  }
  const Bytes bytes = read_file(input);
  n_bytes = bytes.size();
  return model_from_bytes(bytes.view(), input.source());
}

bool holds_model(Input& input) {
  const std::string start = first_bytes(input, start_size);
  // No header has 2^40 bytes, so three of the length's bytes are 0 as they are in no text.
  return start.size() == start_size && start[5] == 0 && start[6] == 0 && start[7] == 0 &&
         start[8] == '{';
}

}  // namespace bentwood
