#include "bentwood/model/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numbers>
#include <type_traits>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

/// A number with at most `decimals` digits behind the point, and no more than it needs: "12", "0.25".
std::string brief(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.find_last_not_of('.') + 1);
  }
  return text == "-0" ? "0" : text;
}

/// Says what is in the nodes of one tree.
class Describer {
 public:
  Describer(const Forest& forest, std::size_t tree, const TreeTextOptions& options)
      : forest_(forest),
        tree_(checked(forest, tree)),
        options_(options),
        classes_(label_texts(forest.classes)) {
    std::ranges::transform(classes_, classes_.begin(),
                           [](const std::string& name) { return printable(name); });
    // Children stand after their parents: backwards, they are counted before them.
    below_.resize(tree_.nodes.size(), 0);
    for (std::size_t node = tree_.nodes.size(); node-- > 0;) {
      if (!tree_.nodes[node].is_leaf()) {
        const std::size_t left = tree_.nodes[node].child;
        below_[node] = 2 + below_[left] + below_[left + 1];
      }
    }
  }

  [[nodiscard]] const TreeNode& node(std::size_t node) const { return tree_.nodes[node]; }
  [[nodiscard]] bool is_cut(std::size_t node, std::size_t depth) const {
    return !tree_.nodes[node].is_leaf() && depth < options_.max_depth;
  }

  /// The question that sends a row to the left, or the one that sends it to the right.
  [[nodiscard]] std::string side(std::size_t node, bool left) const {
    const TreeNode& cut = tree_.nodes[node];
    const Column& column = forest_.columns.columns()[static_cast<std::size_t>(cut.column)];
    if (column.kind == ColumnKind::line) {
      return fmt::format("{} {} {:.{}f}", column.name, left ? "<=" : ">", cut.threshold,
                         options_.decimals);
    }
    return fmt::format("{} {} ({:.{}f}, {:.{}f}]", column.name, left ? "in" : "not in",
                       cut.threshold, options_.decimals, cut.threshold + std::numbers::pi,
                       options_.decimals);
  }

  [[nodiscard]] std::string weight(std::size_t node) const {
    return "weight " + brief(tree_.weights[node], options_.decimals);
  }

  /// What a node says that is not cut: a leaf, or one below the last depth that is shown.
  [[nodiscard]] std::string answer(std::size_t node) const {
    if (!tree_.nodes[node].is_leaf()) {
      return fmt::format("{} more nodes", below_[node]);
    }
    const std::span<const double> value = tree_.value(tree_.nodes[node].child);
    if (forest_.task == Task::classification) {
      const auto winner = std::ranges::max_element(value) - value.begin();
      return "class: " + classes_[static_cast<std::size_t>(winner)];
    }
    std::vector<std::string> means;
    for (std::size_t output = 0; output < value.size(); ++output) {
      const std::string name = output < forest_.output_names.size()
                                   ? printable(forest_.output_names[output]) + " "
                                   : std::string();
      means.push_back(fmt::format("{}{:.{}f}", name, value[output], options_.decimals));
    }
    return fmt::format("value: {}", fmt::join(means, ", "));
  }

  /// The classes of a leaf that is not pure, empty otherwise.
  [[nodiscard]] std::string shares(std::size_t node) const {
    if (!tree_.nodes[node].is_leaf() || forest_.task == Task::regression) {
      return "";
    }
    const std::span<const double> value = tree_.value(tree_.nodes[node].child);
    std::vector<std::string> parts;
    for (std::size_t label = 0; label < value.size(); ++label) {
      if (value[label] > 0) {
        parts.push_back(
            fmt::format("{} {}", classes_[label], brief(value[label], options_.decimals)));
      }
    }
    return parts.size() < 2 ? "" : fmt::format("shares: {}", fmt::join(parts, ", "));
  }

 private:
  static const Tree& checked(const Forest& forest, std::size_t tree) {
    if (tree >= forest.trees.size()) {
      throw InvalidInput(fmt::format("tree is {}, but the forest has {} (counted from 0)", tree,
                                     forest.trees.size()));
    }
    return forest.trees[tree];
  }

  const Forest& forest_;
  const Tree& tree_;
  TreeTextOptions options_;
  std::vector<std::string> classes_;
  /// The nodes below each.
  std::vector<std::size_t> below_;
};

/// Text within the quotes of dot.
std::string quoted(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      result += '\\';
    }
    result += letter;
  }
  return result;
}

}  // namespace

std::vector<std::string> label_texts(const Labels& labels) {
  return std::visit(
      [](const auto& list) {
        std::vector<std::string> texts;
        for (const auto& label : list) {
          if constexpr (std::is_same_v<std::decay_t<decltype(label)>, std::string>) {
            texts.push_back(label);
          } else if constexpr (std::is_same_v<std::decay_t<decltype(label)>, double>) {
            texts.push_back(number_text(label));
          } else {
            texts.push_back(fmt::format("{}", label));
          }
        }
        return texts;
      },
      labels);
}

std::vector<double> factor_importances(const Forest& forest) {
  std::vector<double> result(forest.columns.manifold().signature().factors().size(), 0.0);
  for (std::size_t column = 0; column < forest.importances.size(); ++column) {
    result[forest.columns.columns()[column].factor] += forest.importances[column];
  }
  return result;
}

std::string tree_text(const Forest& forest, std::size_t tree, const TreeTextOptions& options) {
  const Describer describer(forest, tree, options);
  // What is still to be written, the next last: a node, or the line above the right part of one.
  struct Item {
    std::size_t node;
    std::size_t depth;
    bool is_line;
  };
  std::vector<Item> stack{{0, 0, false}};
  std::string out;
  while (!stack.empty()) {
    const Item item = stack.back();
    stack.pop_back();
    for (std::size_t level = 0; level < item.depth; ++level) {
      out += "|   ";
    }
    out += "|--- ";
    if (item.is_line) {
      out += describer.side(item.node, false) + "\n";
    } else if (describer.is_cut(item.node, item.depth)) {
      out += describer.side(item.node, true) + "\n";
      const std::size_t left = describer.node(item.node).child;
      stack.push_back({left + 1, item.depth + 1, false});
      stack.push_back({item.node, item.depth, true});
      stack.push_back({left, item.depth + 1, false});
    } else {
      const std::string shares = describer.shares(item.node);
      fmt::format_to(std::back_inserter(out), "{} ({}{}{})\n", describer.answer(item.node),
                     describer.weight(item.node), shares.empty() ? "" : ", ", shares);
    }
  }
  return out;
}

std::string tree_graphviz(const Forest& forest, std::size_t tree, const TreeTextOptions& options) {
  const Describer describer(forest, tree, options);
  std::string out =
      "digraph tree {\n"
      "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
      "  edge [fontname=\"sans-serif\"];\n";
  const auto into_out = std::back_inserter(out);
  std::vector<std::pair<std::size_t, std::size_t>> stack{{0, 0}};
  while (!stack.empty()) {
    const auto [node, depth] = stack.back();
    stack.pop_back();
    const bool is_cut = describer.is_cut(node, depth);
    const std::string shares = is_cut ? "" : describer.shares(node);
    fmt::format_to(into_out, "  {} [label=\"{}\\n{}{}{}\"];\n", node,
                   quoted(is_cut ? describer.side(node, true) : describer.answer(node)),
                   describer.weight(node), shares.empty() ? "" : "\\n", quoted(shares));
    if (is_cut) {
      const std::size_t left = describer.node(node).child;
      fmt::format_to(into_out, "  {0} -> {1} [label=\"yes\"];\n  {0} -> {2} [label=\"no\"];\n",
                     node, left, left + 1);
      stack.emplace_back(left + 1, depth + 1);
      stack.emplace_back(left, depth + 1);
    }
  }
  return out + "}\n";
}

}  // namespace bentwood
