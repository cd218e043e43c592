#pragma once

#include <optional>

#include "bentwood/linear/linear_svm.hpp"

namespace bentwood {

/// newton_svm for one to `most_few_features` features (signed_columns.hpp): one pass over the rows a step, which finds the objective with its gradient
/// and Hessian where the step leads to. Nothing where rounding leaves a Hessian that is not positive definite, as a huge cost on
/// features that depend on each other does. Throws Interrupted.
[[nodiscard]] std::optional<LinearSvm> newton_few_features(const LinearRows& rows,
                                                           const LinearSvmOptions& options);

}  // namespace bentwood
