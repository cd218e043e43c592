#include "bentwood/model/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <type_traits>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/geometry/coordinates.hpp"

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

std::vector<std::string> made_printable(std::vector<std::string> names) {
  std::ranges::transform(names, names.begin(),
                         [](const std::string& name) { return printable(name); });
  return names;
}

/// Says what is in the nodes of one tree.
class Describer {
 public:
  Describer(const Forest& forest, std::size_t tree, const TreeTextOptions& options)
      : forest_(forest),
        tree_(checked(forest, tree, options)),
        decimals_(static_cast<int>(options.decimals)),
        columns_(made_printable(column_names(forest))),
        classes_(made_printable(options.class_names.empty() ? label_texts(forest.classes)
                                                            : options.class_names)),
        is_cut_(tree_.nodes.size(), false),
        below_(tree_.nodes.size(), 0) {
    // Children stand after their parents: forwards the depth of a node is known when it comes, backwards
    // what is below it.
    std::vector<std::size_t> depth(tree_.nodes.size(), 0);
    for (std::size_t node = 0; node < tree_.nodes.size(); ++node) {
      if (!tree_.nodes[node].is_leaf()) {
        is_cut_[node] = depth[node] < options.max_depth;
        const std::size_t left = tree_.nodes[node].child;
        depth[left] = depth[left + 1] = depth[node] + 1;
      }
    }
    for (std::size_t node = tree_.nodes.size(); node-- > 0;) {
      if (!tree_.nodes[node].is_leaf()) {
        const std::size_t left = tree_.nodes[node].child;
        below_[node] = 2 + below_[left] + below_[left + 1];
      }
    }
  }

  [[nodiscard]] std::size_t n_nodes() const { return tree_.nodes.size(); }
  /// Whether a node's cut is shown.
  [[nodiscard]] bool is_cut(std::size_t node) const { return is_cut_[node]; }
  [[nodiscard]] std::size_t left_child(std::size_t node) const { return tree_.nodes[node].child; }

  /// The name of the column that is cut.
  [[nodiscard]] std::string column(std::size_t node) const {
    if (!is_own(node)) {
      return columns_[static_cast<std::size_t>(tree_.nodes[node].column)];
    }
    return is_horosphere(node) ? horosphere(own_column(node)) : sum(node);
  }

  /// The numbers of the column that go to the left, or those that go to the right.
  [[nodiscard]] std::string side(std::size_t node, bool left) const {
    const TreeNode& cut = tree_.nodes[node];
    if (is_horosphere(node)) {
      return fmt::format("{} {:.{}f}", left ? "<=" : ">", std::log(cut.threshold), decimals_);
    }
    if (is_own(node) ||
        forest_.columns.columns()[static_cast<std::size_t>(cut.column)].kind == ColumnKind::line) {
      return fmt::format("{} {:.{}f}", left ? "<=" : ">", cut.threshold, decimals_);
    }
    return fmt::format("{} ({:.{}f}, {:.{}f}]", left ? "in" : "not in", cut.threshold, decimals_,
                       cut.threshold + std::numbers::pi, decimals_);
  }

  [[nodiscard]] std::string weight(std::size_t node) const {
    return "weight " + brief(tree_.weights[node], decimals_);
  }

  /// What a node says that is not cut: a leaf, or one below the last depth that is shown.
  [[nodiscard]] std::string answer(std::size_t node) const {
    if (!tree_.nodes[node].is_leaf()) {
      return fmt::format("{} more nodes", below_[node]);
    }
    if (forest_.task == Task::none) {
      return "leaf";
    }
    if (forest_.task == Task::classification) {
      const auto shares = tree_.shares(tree_.nodes[node].child);
      const auto winner = std::ranges::max_element(
          shares, {}, [](const auto& label_and_share) { return label_and_share.second; });
      return "class: " + classes_[winner == shares.end() ? 0 : winner->first];
    }
    const std::span<const double> value = tree_.value(tree_.nodes[node].child);
    std::vector<std::string> means;
    for (std::size_t output = 0; output < value.size(); ++output) {
      const std::string name = output < forest_.output_names.size()
                                   ? printable(forest_.output_names[output]) + " "
                                   : std::string();
      means.push_back(fmt::format("{}{:.{}f}", name, value[output], decimals_));
    }
    return fmt::format("value: {}", fmt::join(means, ", "));
  }

  /// The classes of a leaf that is not pure, empty otherwise.
  [[nodiscard]] std::string shares(std::size_t node) const {
    if (!tree_.nodes[node].is_leaf() || forest_.task != Task::classification) {
      return "";
    }
    std::vector<std::string> parts;
    for (const auto& [label, share] : tree_.shares(tree_.nodes[node].child)) {
      parts.push_back(fmt::format("{} {}", classes_[label], brief(share, decimals_)));
    }
    return parts.size() < 2 ? "" : fmt::format("shares: {}", fmt::join(parts, ", "));
  }

  [[nodiscard]] NodeText text(std::size_t node) const {
    return is_cut(node) ? NodeText{column(node), side(node, true), weight(node), ""}
                        : NodeText{answer(node), "", weight(node), shares(node)};
  }

 private:
  [[nodiscard]] bool is_own(std::size_t node) const {
    return static_cast<std::size_t>(tree_.nodes[node].column) >= forest_.columns.size();
  }

  [[nodiscard]] std::size_t own_column(std::size_t node) const {
    return static_cast<std::size_t>(tree_.nodes[node].column) - forest_.columns.size();
  }
  [[nodiscard]] bool is_horosphere(std::size_t node) const {
    return is_own(node) && tree_.own.kinds[own_column(node)] == OwnColumnKind::horosphere;
  }

  /// What is shown of a column that a node made for itself, be it components or terms.
  static constexpr std::size_t most_components = 8;

  /// A sum of columns: "x1 - 0.5 x3". Coefficients may be of any size, so what counts are their digits: as many as the threshold has.
  [[nodiscard]] std::string sum(std::size_t node) const {
    constexpr int most_digits = 17;
    const double threshold = std::max(1.0, std::abs(tree_.nodes[node].threshold));
    const int digits =
        std::clamp(decimals_ + static_cast<int>(std::ceil(std::log10(threshold))), 1, most_digits);
    const std::size_t own = own_column(node);
    const std::span<const std::uint32_t> places = tree_.own.places_of(own);
    const std::span<const double> coefficients = tree_.own.coefficients_of(own);
    std::string text;
    for (std::size_t term = 0; term < std::min(places.size(), most_components); ++term) {
      const bool negative = coefficients[term] < 0;
      text += term == 0 ? (negative ? "-" : "") : (negative ? " - " : " + ");
      const std::string size = fmt::format("{:.{}g}", std::abs(coefficients[term]), digits);
      text += size == "1" ? columns_[places[term]] : size + " " + columns_[places[term]];
    }
    return places.size() > most_components ? text + " + ..." : text;
  }

  /// The horospheres of an ideal point, with its first components.
  [[nodiscard]] std::string horosphere(std::size_t own) const {
    const std::vector<PolarPlace>& places = forest_.columns.polar_places();
    const std::span<const double> ideal = tree_.own.coefficients_of(own);
    std::vector<std::string> components;
    for (const double component : ideal.first(std::min(ideal.size(), most_components))) {
      components.push_back(fmt::format("{:.{}f}", component, decimals_));
    }
    const std::size_t place = polar_place_of(tree_.own, own, places);
    return fmt::format("{}({}{})", columns_[forest_.columns.size() + place],
                       fmt::join(components, ", "), ideal.size() > most_components ? ", ..." : "");
  }

  static const Tree& checked(const Forest& forest, std::size_t tree,
                             const TreeTextOptions& options) {
    constexpr std::size_t most_decimals = 100;
    if (tree >= forest.trees.size()) {
      throw InvalidInput(fmt::format("tree is {}, but the forest has {} (counted from 0)", tree,
                                     forest.trees.size()));
    }
    if (options.decimals > most_decimals) {
      throw InvalidInput(
          fmt::format("decimals is {}, expected 0 to {}", options.decimals, most_decimals));
    }
    const std::size_t n_names = options.class_names.size();
    if (n_names != 0 && forest.task == Task::classification && n_names != forest.width()) {
      throw InvalidInput(fmt::format("expected one name for each of the {} classes, found {}",
                                     forest.width(), n_names));
    }
    return forest.trees[tree];
  }

  const Forest& forest_;
  const Tree& tree_;
  int decimals_ = 0;
  std::vector<std::string> columns_;
  std::vector<std::string> classes_;
  std::vector<bool> is_cut_;
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

std::string shown_label(const Labels& labels, std::size_t place) {
  const std::string text = label_texts(labels)[place];
  return std::holds_alternative<std::vector<std::string>>(labels) ? shown(text) : text;
}

std::vector<std::string> column_names(const Forest& forest) {
  const Manifold& manifold = forest.columns.manifold();
  const auto& factors = manifold.signature().factors();
  // Where the inputs of every factor begin.
  std::vector<std::size_t> begins{0};
  for (const Factor& factor : factors) {
    begins.push_back(begins.back() + n_columns(factor, manifold.coordinates()));
  }
  std::vector<std::string> names;
  for (const Column& column : forest.columns.columns()) {
    const bool is_feature = !forest.feature_names.empty() &&
                            column.family == ColumnFamily::geodesic &&
                            factors[column.factor].geometry == Geometry::euclidean;
    names.push_back(is_feature ? forest.feature_names[begins[column.factor] + column.axis - 1]
                               : forest.columns.name(column));
  }
  for (const PolarPlace& place : forest.columns.polar_places()) {
    names.push_back(forest.columns.horosphere_name(place));
  }
  return names;
}

std::vector<std::size_t> importance_factors(const Columns& columns) {
  std::vector<std::size_t> factors;
  for (const Column& column : columns.columns()) {
    factors.push_back(column.factor);
  }
  for (const PolarPlace& place : columns.polar_places()) {
    factors.push_back(place.factor);
  }
  return factors;
}

std::vector<double> factor_importances(const Forest& forest) {
  const std::vector<std::size_t> factors = importance_factors(forest.columns);
  std::vector<double> result(forest.columns.manifold().signature().factors().size(), 0.0);
  for (std::size_t item = 0; item < forest.importances.size(); ++item) {
    result[factors[item]] += forest.importances[item];
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
      out += describer.column(item.node) + " " + describer.side(item.node, false) + "\n";
    } else if (describer.is_cut(item.node)) {
      out += describer.column(item.node) + " " + describer.side(item.node, true) + "\n";
      const std::size_t left = describer.left_child(item.node);
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
  std::vector<std::size_t> stack{0};
  while (!stack.empty()) {
    const std::size_t node = stack.back();
    stack.pop_back();
    const NodeText text = describer.text(node);
    fmt::format_to(into_out, "  {} [label=\"{}{}{}\\n{}{}{}\"];\n", node, quoted(text.subject),
                   text.left_side.empty() ? "" : " ", text.left_side, text.weight,
                   text.shares.empty() ? "" : "\\n", quoted(text.shares));
    if (describer.is_cut(node)) {
      const std::size_t left = describer.left_child(node);
      fmt::format_to(into_out, "  {0} -> {1} [label=\"yes\"];\n  {0} -> {2} [label=\"no\"];\n",
                     node, left, left + 1);
      stack.push_back(left + 1);
      stack.push_back(left);
    }
  }
  return out + "}\n";
}

std::vector<NodeText> node_texts(const Forest& forest, std::size_t tree,
                                 const TreeTextOptions& options) {
  const Describer describer(forest, tree, options);
  std::vector<NodeText> texts;
  texts.reserve(describer.n_nodes());
  for (std::size_t node = 0; node < describer.n_nodes(); ++node) {
    texts.push_back(describer.text(node));
  }
  return texts;
}

}  // namespace bentwood
