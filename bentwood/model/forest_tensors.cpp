#include "bentwood/model/forest_tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/model/tensor_numbers.hpp"

namespace bentwood {

bool may_have_own_columns(const Forest& forest) {
  return forest.columns.has(ColumnFamily::horosphere) || forest.task == Task::none;
}

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
  const bool own = may_have_own_columns(forest);
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

std::vector<std::string> add_tensors(const Forest& forest, const std::vector<std::string>& bytes,
                                     Safetensors& file) {
  std::vector<std::string> order;
  const std::vector<TensorFacts> all_facts = tensor_facts(may_have_own_columns(forest));
  for (std::size_t index = 0; index < all_facts.size(); ++index) {
    const TensorFacts& facts = all_facts[index];
    const std::size_t size =
        bytes[index].size() /
        (facts.type == TensorType::i32 || facts.type == TensorType::u32 ? 4 : 8);
    file.tensors[facts.name] = {facts.type, {size}, bytes[index]};
    order.push_back(facts.name);
  }
  file.tensors["value"].shape = {file.tensors["value"].shape[0] / forest.width(), forest.width()};
  return order;
}

void check_tensor_count(const Safetensors& file, std::size_t expected) {
  if (file.tensors.size() != expected) {
    throw FormatError(
        fmt::format("there are {} tensors, a model has {}", file.tensors.size(), expected));
  }
}

void check_forest_tensors(const std::map<std::string, Tensor>& tensors, bool own) {
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
  const std::uint64_t n_nodes = tensors.at("threshold").shape[0];
  for (const char* const name : {"weight", "column", "child"}) {
    if (tensors.at(name).shape[0] != n_nodes) {
      throw FormatError(fmt::format("tensor \"{}\" has {} numbers, \"threshold\" has {}", name,
                                    tensors.at(name).shape[0], n_nodes));
    }
  }
}

std::vector<Tree> read_trees(const std::map<std::string, Tensor>& tensors, bool own) {
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
  if (own) {
    read_own_columns(tensors, result);
  }
  return result;
}

}  // namespace bentwood
