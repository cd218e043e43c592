#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/model/model.hpp"

namespace bentwood::cli {

/// Any model that predicts something.
using PredictingModel = std::variant<Forest, HorosphereClassifier, LinearClassifier>;

/// Throws InvalidInput that names `path` where a model does not.
[[nodiscard]] PredictingModel predicting(Model model, const std::string& path);

// What the commands ask of any such model.
[[nodiscard]] const Manifold& manifold_of(const PredictingModel& model);
[[nodiscard]] OffManifold off_manifold_of(const PredictingModel& model);
void set_off_manifold(PredictingModel& model, OffManifold policy);
[[nodiscard]] const Labels& classes_of(const PredictingModel& model);
[[nodiscard]] const std::vector<std::string>& feature_names_of(const PredictingModel& model);
[[nodiscard]] Task task_of(const PredictingModel& model);
/// Numbers that it predicts a row, or classes.
[[nodiscard]] std::size_t width_of(const PredictingModel& model);
/// What a model says about rows.
struct Predicted {
  /// The class of each row; empty in a regression.
  std::vector<std::int64_t> winners;
  /// One number a class, the greater the likelier (probabilities where it has them, else scores), or one an output.
  Matrix values;
  bool has_probabilities = false;
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// What is asked for: everything, or of forests that classify the winners alone, which takes no number for each row and class.
enum class Wanted : std::uint8_t { everything, winners };

/// Throws InvalidInput where a point is off the manifold and not to be projected.
[[nodiscard]] Predicted predicted(const PredictingModel& model, Points points,
                                  Wanted wanted = Wanted::everything);

/// Scores as one column a class: of one column s for two classes they are -s and s.
[[nodiscard]] Matrix scores_by_class(const Matrix& scores);

}  // namespace bentwood::cli
