#pragma once

#include <string>

#include "bentwood/draw/regions.hpp"
#include "bentwood/model/horosphere_classifier.hpp"

namespace bentwood {

/// What horospheres on H2 predict, everywhere: regions on the Poincaré disk as an SVG document, with points above them and a legend.
///
/// Regions are what the classifier says in the middle of the small squares of a grid. Each horosphere is drawn as the circle it is: that
/// of B = b has the radius e^b / (1 + e^b) and touches the rim at its ideal point. It has the colour of its class and is dashed
/// where the class is outside; the only one of two classes is dark.
///
/// Of the options title, pixel and size count. Throws InvalidInput where the model is on another manifold than H2, and where points or
/// classes do not fit it.
[[nodiscard]] std::string horosphere_picture(const HorosphereClassifier& classifier,
                                             const RegionPoints& points,
                                             const RegionPictureOptions& options = {});

}  // namespace bentwood
