#pragma once

#include "bentwood/model/forest.hpp"

namespace bentwood {

/// The numbers of labels.
[[nodiscard]] std::size_t n_labels(const Labels& labels);

/// Throws FormatError unless labels ascend and are finite.
void check_labels(const Labels& labels);

/// Whether a forest is whole: every tree can be walked (check_tree), all have as many values as there are
/// classes or outputs, those of a classifier are shares that sum to 1, labels ascend, names and importances are as many as what they name, and
/// the name of the estimator does not contradict it. Every way into a model passes here: a file, a pickle, a buffer. Throws FormatError that
/// names the tree and the node.
void check_forest(const Forest& forest);

}  // namespace bentwood
