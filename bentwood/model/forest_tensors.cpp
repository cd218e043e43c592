#include "bentwood/model/forest_tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/model/tensor_numbers.hpp"

namespace bentwood {

namespace {

/// The bytes of where each row of all trees begins among all shares.
std::string share_begins(const Forest& forest) {
  return gather<std::uint64_t>(0, [&](const auto& append) {
    std::uint64_t n_before = 0;
    append(n_before);
    for (const Tree& tree : forest.trees) {
      for (std::size_t row = 0; row < tree.sparse.n_rows(); ++row) {
        append(n_before + tree.sparse.begins[row + 1]);
      }
      n_before += tree.sparse.shares.size();
    }
  });
}

template <class Number>
std::string of_shares(const Forest& forest, std::vector<Number> SparseShares::*field) {
  return gather<Number>(0, [&](const auto& append) {
    for (const Tree& tree : forest.trees) {
      std::ranges::for_each(tree.sparse.*field, append);
    }
  });
}

/// Where each sparse row of values begins, and where the last one ends; nothing where rows are not sparse.
std::vector<std::uint64_t> read_share_begins(const std::map<std::string, Tensor>& tensors,
                                             ForestLayout layout) {
  if (!layout.sparse) {
    return {};
  }
  const std::uint64_t n_shares = tensors.at("share").shape[0];
  if (const std::uint64_t n_classes = tensors.at("share_class").shape[0]; n_classes != n_shares) {
    throw FormatError(fmt::format("tensor \"share_class\" has {} numbers, \"share\" has {}",
                                  n_classes, n_shares));
  }
  return read_begins(tensors.at("share_begin"), "share_begin", n_shares);
}

/// The sparse rows of values of trees, of which each has those that `rows` says.
void read_shares(const std::map<std::string, Tensor>& tensors,
                 std::span<const std::uint64_t> begins, std::span<const std::uint64_t> rows,
                 std::vector<Tree>& trees) {
  const Tensor& share = tensors.at("share");
  const Tensor& share_class = tensors.at("share_class");
  for (std::size_t index = 0; index < trees.size(); ++index) {
    const std::uint64_t begin = begins[rows[index]];
    const std::uint64_t count = begins[rows[index + 1]] - begin;
    SparseShares& sparse = trees[index].sparse;
    for (std::uint64_t row = rows[index]; row <= rows[index + 1]; ++row) {
      sparse.begins.push_back(begins[row] - begin);
    }
    sparse.classes = numbers<std::uint32_t>(share_class, begin, count);
    sparse.shares = numbers<double>(share, begin, count);
  }
}

}  // namespace

ForestLayout layout_of(const Forest& forest) {
  return {.own = forest.columns.has(ColumnFamily::horosphere) || forest.task == Task::none,
          .sparse = forest.trees.front().is_sparse()};
}

std::vector<TensorFacts> tensor_facts(ForestLayout layout) {
  std::vector<TensorFacts> facts{
      {"threshold", TensorType::f64, 1},  {"weight", TensorType::f64, 1},
      {"value", TensorType::f64, 2},      {"importance", TensorType::f64, 1},
      {"node_begin", TensorType::u64, 1}, {"value_begin", TensorType::u64, 1}};
  const std::vector<TensorFacts> narrow{{"column", TensorType::i32, 1},
                                        {"child", TensorType::u32, 1}};
  if (layout.sparse) {
    facts.push_back({"share", TensorType::f64, 1});
    facts.push_back({"share_begin", TensorType::u64, 1});
  }
  if (layout.own) {
    facts.insert(facts.end(), own_wide_facts().begin(), own_wide_facts().end());
  }
  facts.insert(facts.end(), narrow.begin(), narrow.end());
  if (layout.sparse) {
    facts.push_back({"share_class", TensorType::u32, 1});
  }
  if (layout.own) {
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
      begins([](const Tree& tree) { return tree.n_value_rows(); })};
  const ForestLayout layout = layout_of(forest);
  if (layout.sparse) {
    result.push_back(of_shares(forest, &SparseShares::shares));
    result.push_back(share_begins(forest));
  }
  if (layout.own) {
    std::ranges::move(own_wide_bytes(forest), std::back_inserter(result));
  }
  result.push_back(of_nodes(&TreeNode::column));
  result.push_back(of_nodes(&TreeNode::child));
  if (layout.sparse) {
    result.push_back(of_shares(forest, &SparseShares::classes));
  }
  if (layout.own) {
    std::ranges::move(own_narrow_bytes(forest), std::back_inserter(result));
  }
  return result;
}

std::vector<std::string> add_tensors(const Forest& forest, const std::vector<std::string>& bytes,
                                     Safetensors& file) {
  std::vector<std::string> order;
  const std::vector<TensorFacts> all_facts = tensor_facts(layout_of(forest));
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

void check_forest_tensors(const std::map<std::string, Tensor>& tensors, ForestLayout layout) {
  const std::vector<TensorFacts> all_facts = tensor_facts(layout);
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

std::vector<Tree> read_trees(const std::map<std::string, Tensor>& tensors, ForestLayout layout) {
  const Tensor& value = tensors.at("value");
  const std::uint64_t width = value.shape[1];
  const std::vector<std::uint64_t> nodes =
      read_begins(tensors.at("node_begin"), "node_begin", tensors.at("threshold").shape[0]);
  const std::vector<std::uint64_t> shares = read_share_begins(tensors, layout);
  const std::vector<std::uint64_t> values = read_begins(
      tensors.at("value_begin"), "value_begin", layout.sparse ? shares.size() - 1 : value.shape[0]);
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
    if (!layout.sparse) {
      tree.values = numbers<double>(value, values[index] * width,
                                    (values[index + 1] - values[index]) * width);
    }
  }
  if (layout.sparse) {
    read_shares(tensors, shares, values, result);
  }
  if (layout.own) {
    read_own_columns(tensors, result);
  }
  return result;
}

}  // namespace bentwood
