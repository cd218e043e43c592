#include "bentwood/grow/tree_builder.hpp"

#include <numeric>

namespace bentwood {

void TreeBuilder::graft(std::uint32_t node, const TreeBuilder& part) {
  // The part's rows of values in this tree: pure ones are shared, the others follow ours.
  std::vector<std::uint32_t> row_of(part.tree_.n_value_rows(), no_row);
  if (tree_.is_sparse()) {
    std::iota(row_of.begin(), row_of.end(), static_cast<std::uint32_t>(tree_.n_value_rows()));
    tree_.sparse.append(part.tree_.sparse);
  }
  for (std::size_t kind = 0; kind < pure_rows_.size(); ++kind) {
    if (part.pure_rows_[kind] != no_row && pure_rows_[kind] != no_row) {
      row_of[part.pure_rows_[kind]] = pure_rows_[kind];
    }
  }
  for (std::uint32_t row = 0; row < row_of.size(); ++row) {
    if (row_of[row] == no_row) {
      row_of[row] = static_cast<std::uint32_t>(tree_.values.size() / tree_.width);
      const std::span<const double> value = part.tree_.value(row);
      tree_.values.insert(tree_.values.end(), value.begin(), value.end());
    }
  }
  for (std::size_t kind = 0; kind < pure_rows_.size(); ++kind) {
    if (part.pure_rows_[kind] != no_row) {
      pure_rows_[kind] = row_of[part.pure_rows_[kind]];
    }
  }

  // The part's root takes the node's place, the others follow ours in their order.
  const auto shift = static_cast<std::uint32_t>(tree_.nodes.size() - 1);
  const auto grafted = [&](TreeNode from) {
    from.child = from.is_leaf() ? row_of[from.child] : from.child + shift;
    return from;
  };
  tree_.nodes[node] = grafted(part.tree_.nodes.front());
  tree_.weights[node] = part.tree_.weights.front();
  for (std::size_t index = 1; index < part.tree_.nodes.size(); ++index) {
    tree_.nodes.push_back(grafted(part.tree_.nodes[index]));
  }
  tree_.weights.insert(tree_.weights.end(), part.tree_.weights.begin() + 1,
                       part.tree_.weights.end());
  for (std::size_t column = 0; column < importances_.size(); ++column) {
    importances_[column] += part.importances_[column];
  }
}

}  // namespace bentwood
