#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "bentwood/model/forest.hpp"

/// Models for people to read.
namespace bentwood {

/// The labels as text: whole numbers as they are, real ones in the shortest form that reads back the same.
[[nodiscard]] std::vector<std::string> label_texts(const Labels& labels);

/// A label as messages show it: a number as it is, text printable and in double quotes.
[[nodiscard]] std::string shown_label(const Labels& labels, std::size_t place);

/// The names of the columns that the trees cut: "h1.rapidity1". A Euclidean column is a feature, and has its name where
/// the model knows it. Those of horospheres, "h1.horosphere", come last, one a hyperbolic factor: as importances do.
[[nodiscard]] std::vector<std::string> column_names(const Forest& forest);

/// The factor of everything that has an importance.
[[nodiscard]] std::vector<std::size_t> importance_factors(const Columns& columns);

/// The importance of every factor of the signature: the sum of those of its columns.
[[nodiscard]] std::vector<double> factor_importances(const Forest& forest);

/// How much of a tree is shown, and how exactly.
struct TreeTextOptions {
  /// Cuts below this depth are left out.
  std::size_t max_depth = std::numeric_limits<std::size_t>::max();
  /// Digits behind the point of thresholds, weights, shares and means; at most 100.
  std::size_t decimals = 3;
  /// What the classes are called, one name each; empty for the model's own labels.
  std::vector<std::string> class_names{};
};

/// A tree as lines of text, one a side of a cut and one a leaf, the left side first:
///
///     |--- h1.rapidity1 <= 0.312
///     |   |--- s2.angle1 in (0.310, 3.452]
///     |   |   |--- class: ant (weight 12, shares: ant 0.917, bee 0.083)
///     |   |--- s2.angle1 not in (0.310, 3.452]
///     |   |   |--- 5 more nodes (weight 40)
///     |--- h1.rapidity1 > 0.312
///     |   |--- class: bee (weight 30)
///
/// A horosphere is named by its ideal point, "h1.horosphere(0.600, -0.800) <= -0.312", and cut at a value of its Busemann function in
/// curvature radii. A sum of columns is written out, "x1 - 0.5 x3 <= 1.250", up to eight terms. A cut of a circle is the half-turn (t, t + π] that goes left, angles counted modulo 2π. A leaf says its class and,
/// where it is not pure, the shares of the classes in it; in a regression "value: 1.250", in a forest without a target "leaf". Names are made printable.
/// Throws InvalidInput where the forest has no such tree, or the options do not fit it. O(nodes).
[[nodiscard]] std::string tree_text(const Forest& forest, std::size_t tree,
                                    const TreeTextOptions& options = {});

/// The same tree in the language of Graphviz' dot: a box a node, its question and weight in it.
[[nodiscard]] std::string tree_graphviz(const Forest& forest, std::size_t tree,
                                        const TreeTextOptions& options = {});

/// What stands in the box of a node.
struct NodeText {
  /// The name of the column that is cut, or the answer: "class: ant", "value: 1.250", "5 more nodes".
  std::string subject;
  /// The side of the cut that goes left, "<= 0.312" or "in (0.310, 3.452]"; empty where nothing is cut.
  std::string left_side;
  /// "weight 12".
  std::string weight;
  /// The classes of a leaf that is not pure, "shares: ant 0.917, bee 0.083"; empty otherwise.
  std::string shares;
};

/// The texts of all nodes of a tree, for whoever draws it; those below max_depth are there, too, as if not cut.
[[nodiscard]] std::vector<NodeText> node_texts(const Forest& forest, std::size_t tree,
                                               const TreeTextOptions& options = {});

}  // namespace bentwood
