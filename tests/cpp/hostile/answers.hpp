#pragma once

#include <string>

#include "bentwood/model/model.hpp"

namespace bentwood {

/// What is wrong with what a model says of a few points of its manifold, and of itself: numbers that are not finite, shares that are no
/// distribution, classes, leaves or rows that there are none of, files that are not what was saved. Empty where nothing is. An Error with a
/// message of one line is an answer, too.
[[nodiscard]] std::string problem_with_answers(const Model& model);

}  // namespace bentwood
