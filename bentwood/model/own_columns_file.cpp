#include "bentwood/model/own_columns_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bentwood/base/error.hpp"
#include "bentwood/model/tensor_numbers.hpp"

namespace bentwood {
namespace {

/// The numbers of one field of all trees' own columns.
template <class Number, class Field>
std::string of_trees(const Forest& forest, std::vector<Field> OwnColumns::*field) {
  std::size_t count = 0;
  for (const Tree& tree : forest.trees) {
    count += (tree.own.*field).size();
  }
  return gather<Number>(count, [&](const auto& append) {
    for (const Tree& tree : forest.trees) {
      for (const Field& number : tree.own.*field) {
        append(static_cast<Number>(number));
      }
    }
  });
}

std::string column_begins(const Forest& forest) {
  return gather<std::uint64_t>(forest.trees.size() + 1, [&](const auto& append) {
    std::uint64_t begin = 0;
    append(begin);
    for (const Tree& tree : forest.trees) {
      append(begin += tree.own.size());
    }
  });
}

/// Of all columns in one list.
std::string term_begins(const Forest& forest) {
  return gather<std::uint64_t>(forest.trees.size() + 1, [&](const auto& append) {
    std::uint64_t begin = 0;
    append(begin);
    for (const Tree& tree : forest.trees) {
      for (std::size_t column = 0; column < tree.own.size(); ++column) {
        append(begin += tree.own.places_of(column).size());
      }
    }
  });
}

void require_equally_many(const std::map<std::string, Tensor>& tensors, const std::string& name,
                          const std::string& other, std::uint64_t more = 0) {
  if (tensors.at(name).shape[0] != tensors.at(other).shape[0] + more) {
    throw FormatError(fmt::format("tensor \"{}\" has {} numbers, \"{}\" has {}", name,
                                  tensors.at(name).shape[0], other, tensors.at(other).shape[0]));
  }
}

}  // namespace

const std::vector<TensorFacts>& own_wide_facts() {
  static const std::vector<TensorFacts> facts{{"own_coefficient", TensorType::f64, 1},
                                              {"own_gain", TensorType::f64, 1},
                                              {"own_begin", TensorType::u64, 1},
                                              {"own_term_begin", TensorType::u64, 1}};
  return facts;
}

const std::vector<TensorFacts>& own_narrow_facts() {
  static const std::vector<TensorFacts> facts{{"own_kind", TensorType::u32, 1},
                                              {"own_place", TensorType::u32, 1}};
  return facts;
}

std::vector<std::string> own_wide_bytes(const Forest& forest) {
  return {of_trees<double>(forest, &OwnColumns::coefficients),
          of_trees<double>(forest, &OwnColumns::gains), column_begins(forest), term_begins(forest)};
}

std::vector<std::string> own_narrow_bytes(const Forest& forest) {
  return {of_trees<std::uint32_t>(forest, &OwnColumns::kinds),
          of_trees<std::uint32_t>(forest, &OwnColumns::places)};
}

std::vector<std::uint64_t> read_begins(const Tensor& tensor, const std::string& name,
                                       std::uint64_t size) {
  std::vector<std::uint64_t> result = numbers<std::uint64_t>(tensor, 0, tensor.shape[0]);
  if (result.empty() || result.front() != 0 || result.back() != size ||
      !std::ranges::is_sorted(result)) {
    throw FormatError(fmt::format("\"{}\" does not ascend from 0 to {}", name, size));
  }
  return result;
}

void read_own_columns(const std::map<std::string, Tensor>& tensors, std::vector<Tree>& trees) {
  require_equally_many(tensors, "own_gain", "own_kind");
  require_equally_many(tensors, "own_term_begin", "own_kind", 1);
  require_equally_many(tensors, "own_place", "own_coefficient");
  require_equally_many(tensors, "own_begin", "node_begin");
  const std::uint64_t n_terms = tensors.at("own_place").shape[0];
  if (n_terms > std::numeric_limits<std::uint32_t>::max()) {
    throw FormatError(fmt::format("own columns have {} terms, expected fewer than 2^32", n_terms));
  }
  const std::vector<std::uint64_t> columns =
      read_begins(tensors.at("own_begin"), "own_begin", tensors.at("own_kind").shape[0]);
  const std::vector<std::uint64_t> terms =
      read_begins(tensors.at("own_term_begin"), "own_term_begin", n_terms);
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    const std::size_t begin = columns[tree];
    const std::size_t count = columns[tree + 1] - begin;
    if (count == 0) {
      continue;
    }
    OwnColumns& own = trees[tree].own;
    own.kinds.reserve(count);
    for (const std::uint32_t kind : numbers<std::uint32_t>(tensors.at("own_kind"), begin, count)) {
      own.kinds.push_back(static_cast<OwnColumnKind>(kind));
    }
    for (std::size_t column = begin; column <= begin + count; ++column) {
      own.term_begins.push_back(static_cast<std::uint32_t>(terms[column] - terms[begin]));
    }
    const std::size_t n_own_terms = own.term_begins.back();
    own.places = numbers<std::uint32_t>(tensors.at("own_place"), terms[begin], n_own_terms);
    own.coefficients = numbers<double>(tensors.at("own_coefficient"), terms[begin], n_own_terms);
    own.gains = numbers<double>(tensors.at("own_gain"), begin, count);
  }
}

}  // namespace bentwood
