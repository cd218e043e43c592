#pragma once

#include <string>

#include "bentwood/draw/regions.hpp"
#include "bentwood/model/linear_classifier.hpp"

namespace bentwood {

/// What a linear classifier on H2 predicts, everywhere: regions on the Poincaré disk as an SVG document, with points above them and a legend.
///
/// Regions are what the classifier says in the middle of the small squares of a grid. Boundaries are drawn as the curves they are, in the
/// colour of their class; the only one of two classes is dark. Where a score is linear in ambient coordinates, α x_0 + β·x + b, that is the
/// circle (α - b)|u|² + 2β·u + α + b = 0: a geodesic where b = 0. The others (logarithms with an intercept) are straight in the tangent
/// space of their reference point.
///
/// Of the options title, pixel and size count. Throws InvalidInput where the model is on another manifold than H2, and where points or
/// classes do not fit it.
[[nodiscard]] std::string linear_picture(const LinearClassifier& classifier,
                                         const RegionPoints& points,
                                         const RegionPictureOptions& options = {});

}  // namespace bentwood
