#pragma once

#include <string_view>

#include "bentwood/model/forest.hpp"
#include "bentwood/model/geodesic_forest.hpp"
#include "bentwood/model/horosphere_classifier.hpp"
#include "bentwood/model/linear_classifier.hpp"

namespace bentwood {

/// Throws FormatError where a model is called by the name of an estimator of the package that is of another kind or task, cuts other columns or
/// learns in another way. Names that the package does not have may be anybody's, and say nothing.
void check_estimator(const Forest& forest);
void check_estimator(const HorosphereClassifier& classifier);
void check_estimator(const LinearClassifier& classifier);

}  // namespace bentwood
