#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/geometry/columns.hpp"
#include "bentwood/model/forest.hpp"
#include "bentwood/model/geodesic_forest.hpp"
#include "bentwood/model/horosphere_classifier.hpp"
#include "bentwood/model/linear_classifier.hpp"

namespace bentwood {

/// The text of a model file: all of a forest but its numbers. Throws InvalidInput where a name is not UTF-8, or a parameter
/// not JSON.
[[nodiscard]] std::map<std::string, std::string> metadata(const Forest& forest);
[[nodiscard]] std::map<std::string, std::string> metadata(const HorosphereClassifier& classifier);
[[nodiscard]] std::map<std::string, std::string> metadata(const LinearClassifier& classifier);
[[nodiscard]] std::map<std::string, std::string> metadata(const GeodesicForest& forest);

/// The kinds of models that files hold.
enum class ModelKind : std::uint8_t { forest, horospheres, linear, neighbours };

/// Throws FormatError unless the metadata are those of a model in a format that this version knows.
[[nodiscard]] ModelKind check_format(const std::map<std::string, std::string>& metadata);

/// Whether the trees of a forest may have horospheres.
[[nodiscard]] bool splits_have_horospheres(const std::map<std::string, std::string>& metadata);

/// The sizes of a forest's arrays, which its metadata must fit.
struct ForestSizes {
  /// Columns::n_importances.
  std::size_t n_importances = 0;
  /// Numbers in a leaf.
  std::size_t width = 0;
  /// The length of the file.
  std::size_t n_bytes = 0;
};

/// A forest without trees or importances. A few letters can ask for many factors, columns or classes: throws FormatError, before it takes memory
/// for them, where they are not as many as the arrays have. Throws Error about anything else that is wrong.
[[nodiscard]] Forest forest_without_trees(const std::map<std::string, std::string>& metadata,
                                          const ForestSizes& sizes);
[[nodiscard]] GeodesicForest geodesic_forest_without_trees(
    const std::map<std::string, std::string>& metadata, const ForestSizes& sizes);

/// A classifier without its numbers, as many as the arrays have. Throws Error about anything that is wrong.
[[nodiscard]] HorosphereClassifier horosphere_classifier_without_numbers(
    const std::map<std::string, std::string>& metadata, std::size_t n_horospheres);
[[nodiscard]] LinearClassifier linear_classifier_without_numbers(
    const std::map<std::string, std::string>& metadata, std::size_t n_boundaries,
    std::size_t n_features);

}  // namespace bentwood
