#include "hostile/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/neighbours.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/linear/horosphere_training.hpp"
#include "bentwood/linear/linear_training.hpp"
#include "bentwood/linear/perceptron_training.hpp"
#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/describe.hpp"
#include "bentwood/model/forest_horospheres.hpp"

namespace bentwood {
namespace {

/// What an answer should have been and is not.
struct Wrong {
  std::string what;
};

void require(bool condition, const char* what) {
  if (!condition) {
    throw Wrong{what};
  }
}

void require_finite(std::span<const double> values, const char* what) {
  require(std::ranges::all_of(values, [](double value) { return std::isfinite(value); }), what);
}
void require_finite(const Matrix& values, const char* what) {
  require_finite({values.data(), values.n_rows() * values.n_cols()}, what);
}

void require_shares(const Matrix& shares, const char* what) {
  for (std::size_t row = 0; row < shares.n_rows(); ++row) {
    double sum = 0;
    for (const double share : shares.row(row)) {
      require(share >= 0, what);
      sum += share;
    }
    require(std::abs(sum - 1) <= 1.1e-8, what);
  }
}

void require_places(std::span<const std::int64_t> places, std::size_t size, const char* what) {
  require(std::ranges::all_of(places,
                              [&](std::int64_t place) {
                                return place >= 0 && static_cast<std::size_t>(place) < size;
                              }),
          what);
}

constexpr std::size_t most_columns = 1000;

/// A few points: the origin, some around it, and some far out.
Matrix points_of(const Manifold& manifold) {
  const Manifold tangent(manifold.signature(), Coordinates::tangent);
  Matrix vectors = tangent.random(6, 1, 7);
  std::size_t column = 0;
  for (const Factor& factor : manifold.signature().factors()) {
    // A quarter turn at most, which all coordinates of a sphere have.
    const double size = factor.geometry == Geometry::spherical ? 0.1 : 1;
    for (std::size_t row = 0; row < vectors.n_rows(); ++row) {
      const double far = row == 5 && factor.geometry != Geometry::spherical ? 10 : 1;
      for (std::size_t axis = 0; axis < factor.dim; ++axis) {
        vectors(row, column + axis) *=
            row == 0 ? 0
                     : size * far * factor.radius() / std::sqrt(static_cast<double>(factor.dim));
      }
    }
    column += factor.dim;
  }
  return manifold.convert(vectors, Coordinates::tangent, manifold.coordinates());
}

void require_text(const std::string& text, const char* what) {
  require(!text.empty() && is_utf8(text), what);
}

void check_texts(const Forest& forest) {
  for (const std::string& label : label_texts(forest.classes)) {
    require(is_utf8(label), "a label is no text");
  }
  require_finite(factor_importances(forest), "importances of factors are not finite");
  require_finite(forest.importances, "importances are not finite");
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
    require_text(tree_text(forest, tree, {.max_depth = 5}), "a tree is no text");
    require_text(tree_graphviz(forest, tree, {.max_depth = 5}), "a tree is no graph");
  }
  for (std::size_t place = 0;
       place < forest.columns.polar_places().size() && forest.task != Task::none; ++place) {
    const ForestHorospheres found = forest_horospheres(forest, place);
    require_finite(found.levels, "levels of horospheres are not finite");
    require_finite(found.importances, "importances of horospheres are not finite");
  }
}

void check_leaves(const Forest& forest, const Leaves& leaves) {
  for (std::size_t row = 0; row < leaves.n_rows; ++row) {
    for (std::size_t tree = 0; tree < leaves.n_trees; ++tree) {
      const std::vector<TreeNode>& nodes = forest.trees[tree].nodes;
      require(leaves(row, tree) < nodes.size() && nodes[leaves(row, tree)].is_leaf(),
              "a row is in no leaf");
    }
  }
}

void check(const Forest& forest) {
  check_texts(forest);
  const std::string bytes = to_bytes(forest);
  require(to_bytes(from_bytes(bytes)) == bytes, "the file is another one after it was read");
  if (forest.columns.row_width() > most_columns) {
    return;
  }
  const Matrix points = points_of(forest.columns.manifold());
  const Predictor predictor(forest);
  predictor.pack();
  const Prediction found = predictor.values(points);
  require_finite(found.values, "predictions are not finite");
  if (forest.task == Task::classification) {
    require_shares(found.values, "predictions are no shares");
    require_places(predictor.winners(points).classes, forest.width(), "predictions are no classes");
  }
  const Matrix plain = predict_values(forest, points).values;
  require(std::ranges::equal(std::span(plain.data(), plain.n_rows() * plain.n_cols()),
                             std::span(found.values.data(), plain.n_rows() * plain.n_cols())),
          "the engine and the plain walk differ");
  check_leaves(forest, predictor.apply(points));
  (void)predictor.decision_paths(points);
}

void check(const GeodesicForest& forest) {
  check_texts(forest.forest);
  const std::string bytes = to_bytes(forest);
  require(to_bytes(std::get<GeodesicForest>(model_from_bytes(bytes))) == bytes,
          "the file is another one after it was read");
  const NeighbourIndex index(std::make_shared<const GeodesicForest>(forest));
  const auto check_near = [&](const Proximities& near) {
    require(std::ranges::all_of(near.values, [](double value) { return value > 0 && value <= 1; }),
            "proximities are no shares");
    require_places(near.columns, forest.n_rows, "proximities of rows that are none");
  };
  const auto check_found = [&](const Neighbours& found) {
    require_places(found.rows, forest.n_rows, "neighbours are no rows");
    for (std::size_t row = 0; row < found.distances.n_rows(); ++row) {
      require(std::ranges::all_of(found.distances.row(row),
                                  [](double value) { return value >= 0 && value <= 1; }),
              "distances are not of [0, 1]");
    }
  };
  check_near(index.training_proximities());
  if (forest.n_rows > 1) {
    check_found(index.of_training_rows(std::min<std::size_t>(3, forest.n_rows - 1)));
  }
  if (forest.forest.columns.row_width() > most_columns) {
    return;
  }
  const Matrix points = points_of(forest.forest.columns.manifold());
  check_leaves(forest.forest, Predictor(forest.forest).apply(points));
  check_near(index.proximities(Points(points)));
  check_found(index.of_points(points, std::min<std::size_t>(3, forest.n_rows)));
}

template <class Classifier>
void check_classifier(const Classifier& classifier) {
  const std::string bytes = to_bytes(classifier);
  require(to_bytes(std::get<Classifier>(model_from_bytes(bytes))) == bytes,
          "the file is another one after it was read");
  if (classifier.manifold.dim() > most_columns) {
    return;
  }
  const Matrix points = points_of(classifier.manifold);
  const Matrix found = scores(classifier, points).values;
  require_finite(found, "scores are not finite");
  require_places(winners(classifier, found), n_labels(classifier.classes), "a winner is no class");
  if (classifier.sigmoids.n_rows() > 0) {
    require_shares(probabilities(classifier, points).values, "probabilities are no distribution");
  }
}

void check(const HorosphereClassifier& classifier) { check_classifier(classifier); }

/// Whoever has a memory learns on from it, or says why not.
void check_learning(const LinearClassifier& classifier) {
  PerceptronTrainingOptions options{.manifold = classifier.manifold};
  options.kind.second_order = classifier.memory(0, 0) != 0;
  options.kind.regularization = options.kind.second_order ? classifier.memory(0, 1) : 1;
  const Matrix points = points_of(classifier.manifold);
  const std::size_t n_classes = n_labels(classifier.classes);
  std::vector<std::uint32_t> classes(points.n_rows());
  for (std::uint32_t row = 0; row < classes.size(); ++row) {
    classes[row] = row % static_cast<std::uint32_t>(n_classes);
  }
  try {
    const PerceptronTraining learned =
        learn_batch(&classifier, points, classes, classifier.classes, options);
    require_finite(learned.classifier.coefficients, "what was learned on is not finite");
  } catch (const FormatError&) {
    // What was learned may be too large to be kept, which is said.
  }
}

void check(const LinearClassifier& classifier) {
  check_classifier(classifier);
  if (classifier.memory.n_rows() > 0 && classifier.manifold.dim() <= most_columns) {
    check_learning(classifier);
  }
}

}  // namespace

std::string problem_with_answers(const Model& model) {
  try {
    std::visit([](const auto& any) { check(any); }, model);
  } catch (const Wrong& wrong) {
    return wrong.what;
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    return is_utf8(message) && message.find('\n') == std::string::npos
               ? ""
               : "a message is no line of text: " + message;
  } catch (const Error& error) {
    return fmt::format("a model that was accepted is refused later: {}", error.what());
  }
  return "";
}

}  // namespace bentwood
