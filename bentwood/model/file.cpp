#include "bentwood/model/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/metadata.hpp"
#include "bentwood/model/model.hpp"
#include "bentwood/model/own_columns_file.hpp"
#include "bentwood/model/safetensors.hpp"
#include "bentwood/model/tensor_numbers.hpp"

namespace bentwood {
namespace {

/// All arrays of a model, in the order of the file: those of 8 bytes first, so that each is aligned. Those of own columns are there where
/// trees may have some.
std::vector<TensorFacts> tensor_facts(bool own) {
  std::vector<TensorFacts> facts{
      {"threshold", TensorType::f64, 1},  {"weight", TensorType::f64, 1},
      {"value", TensorType::f64, 2},      {"importance", TensorType::f64, 1},
      {"node_begin", TensorType::u64, 1}, {"value_begin", TensorType::u64, 1}};
  const std::vector<TensorFacts> narrow{{"column", TensorType::i32, 1},
                                        {"child", TensorType::u32, 1}};
  if (own) {
    facts.insert(facts.end(), own_wide_facts().begin(), own_wide_facts().end());
  }
  facts.insert(facts.end(), narrow.begin(), narrow.end());
  if (own) {
    facts.insert(facts.end(), own_narrow_facts().begin(), own_narrow_facts().end());
  }
  return facts;
}

/// The arrays of a forest, in the order of tensor_facts.
std::vector<std::string> tensor_bytes(const Forest& forest) {
  std::size_t n_nodes = 0;
  std::size_t n_values = 0;
  for (const Tree& tree : forest.trees) {
    n_nodes += tree.nodes.size();
    n_values += tree.values.size();
  }
  const auto of_nodes = [&]<class Number>(Number TreeNode::*field) {
    return gather<Number>(n_nodes, [&](const auto& append) {
      for (const Tree& tree : forest.trees) {
        for (const TreeNode& node : tree.nodes) {
          append(node.*field);
        }
      }
    });
  };
  const auto of_trees = [&](std::size_t count, std::vector<double> Tree::*field) {
    return gather<double>(count, [&](const auto& append) {
      for (const Tree& tree : forest.trees) {
        std::ranges::for_each(tree.*field, append);
      }
    });
  };
  const auto begins = [&](const std::function<std::size_t(const Tree&)>& size) {
    return gather<std::uint64_t>(forest.trees.size() + 1, [&](const auto& append) {
      std::uint64_t begin = 0;
      append(begin);
      for (const Tree& tree : forest.trees) {
        append(begin += size(tree));
      }
    });
  };
  std::vector<std::string> result{
      of_nodes(&TreeNode::threshold),
      of_trees(n_nodes, &Tree::weights),
      of_trees(n_values, &Tree::values),
      gather<double>(
          forest.importances.size(),
          [&](const auto& append) { std::ranges::for_each(forest.importances, append); }),
      begins([](const Tree& tree) { return tree.nodes.size(); }),
      begins([](const Tree& tree) { return tree.values.size() / tree.width; })};
  const bool own = forest.columns.has(ColumnFamily::horosphere);
  if (own) {
    std::ranges::move(own_wide_bytes(forest), std::back_inserter(result));
  }
  result.push_back(of_nodes(&TreeNode::column));
  result.push_back(of_nodes(&TreeNode::child));
  if (own) {
    std::ranges::move(own_narrow_bytes(forest), std::back_inserter(result));
  }
  return result;
}

/// The pieces of the file, header first.
std::vector<std::string> pieces(const Forest& forest) {
  check_forest(forest);
  std::vector<std::string> result = tensor_bytes(forest);
  Safetensors file;
  file.metadata = metadata(forest);
  std::vector<std::string> order;
  const std::vector<TensorFacts> all_facts =
      tensor_facts(forest.columns.has(ColumnFamily::horosphere));
  for (std::size_t index = 0; index < result.size(); ++index) {
    const TensorFacts& facts = all_facts[index];
    const std::size_t size =
        result[index].size() /
        (facts.type == TensorType::i32 || facts.type == TensorType::u32 ? 4 : 8);
    file.tensors[facts.name] = {facts.type, {size}, result[index]};
    order.push_back(facts.name);
  }
  file.tensors["value"].shape = {file.tensors["value"].shape[0] / forest.width(), forest.width()};
  result.insert(result.begin(), sealed_header(file, order));
  return result;
}

void check_tensors(const std::map<std::string, Tensor>& tensors, bool own) {
  const std::vector<TensorFacts> all_facts = tensor_facts(own);
  for (const TensorFacts& facts : all_facts) {
    const auto found = tensors.find(facts.name);
    if (found == tensors.end()) {
      throw FormatError(fmt::format("tensor \"{}\" is missing", facts.name));
    }
    if (found->second.type != facts.type || found->second.shape.size() != facts.n_axes) {
      throw FormatError(
          fmt::format("tensor \"{}\" has another type or shape than in a model", facts.name));
    }
  }
  if (tensors.size() != all_facts.size()) {
    throw FormatError(
        fmt::format("there are {} tensors, a model has {}", tensors.size(), all_facts.size()));
  }
  const std::uint64_t n_nodes = tensors.at("threshold").shape[0];
  for (const char* const name : {"weight", "column", "child"}) {
    if (tensors.at(name).shape[0] != n_nodes) {
      throw FormatError(fmt::format("tensor \"{}\" has {} numbers, \"threshold\" has {}", name,
                                    tensors.at(name).shape[0], n_nodes));
    }
  }
}

std::vector<Tree> trees(const std::map<std::string, Tensor>& tensors) {
  const Tensor& value = tensors.at("value");
  const std::uint64_t width = value.shape[1];
  const std::vector<std::uint64_t> nodes =
      read_begins(tensors.at("node_begin"), "node_begin", tensors.at("threshold").shape[0]);
  const std::vector<std::uint64_t> values =
      read_begins(tensors.at("value_begin"), "value_begin", value.shape[0]);
  if (nodes.size() != values.size() || width == 0) {
    throw FormatError(fmt::format("there are {} trees with nodes and {} with values of width {}",
                                  nodes.size() - 1, values.size() - 1, width));
  }
  std::vector<Tree> result(nodes.size() - 1);
  for (std::size_t index = 0; index < result.size(); ++index) {
    const std::size_t begin = nodes[index];
    const std::size_t count = nodes[index + 1] - begin;
    const auto thresholds = numbers<double>(tensors.at("threshold"), begin, count);
    const auto columns = numbers<std::int32_t>(tensors.at("column"), begin, count);
    const auto children = numbers<std::uint32_t>(tensors.at("child"), begin, count);
    Tree& tree = result[index];
    tree.nodes.resize(count);
    for (std::size_t node = 0; node < count; ++node) {
      tree.nodes[node] = {thresholds[node], columns[node], children[node]};
    }
    tree.weights = numbers<double>(tensors.at("weight"), begin, count);
    tree.width = width;
    tree.values =
        numbers<double>(value, values[index] * width, (values[index + 1] - values[index]) * width);
  }
  return result;
}

/// `n_bytes` is the length of the file.
Forest forest(const Safetensors& file, std::size_t n_bytes) {
  const bool own = splits_have_horospheres(file.metadata);
  check_tensors(file.tensors, own);
  const Tensor& importance = file.tensors.at("importance");
  Forest result = forest_without_trees(file.metadata, importance.shape[0], n_bytes);
  result.importances = numbers<double>(importance, 0, importance.shape[0]);
  result.trees = trees(file.tensors);
  if (own) {
    read_own_columns(file.tensors, result.trees);
  }
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
      "a forest", "horospheres", "a linear classifier"};
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
  const Bytes bytes = read_file(path);
  return model_from_bytes(bytes.view(), source_name(path));
}

}  // namespace bentwood
