#include "bentwood/model/estimators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

/// What a model is, as far as the name of its estimator tells.
enum class Nature : std::uint8_t {
  classifying_trees,
  regressing_trees,
  horosphere_trees,
  geodesic_trees,
  horospheres,
  boundaries,
  /// Boundaries that learn row by row, of the first order and of the second.
  perceptron,
  second_order_perceptron,
};

/// In the order of Nature.
constexpr std::array<std::string_view, 8> nature_texts{
    "a forest that classifies",
    "a forest that regresses",
    "a forest that cuts horospheres",
    "a forest of neighbours",
    "horospheres",
    "boundaries without a memory",
    "boundaries with a memory",
    "boundaries with a memory of the second order"};

struct EstimatorFacts {
  std::string_view name;
  Nature nature;
};

constexpr std::array<EstimatorFacts, 11> all_facts{{
    {"ManifoldTreeClassifier", Nature::classifying_trees},
    {"ManifoldForestClassifier", Nature::classifying_trees},
    {"ManifoldTreeRegressor", Nature::regressing_trees},
    {"ManifoldForestRegressor", Nature::regressing_trees},
    {"HoroTreeClassifier", Nature::horosphere_trees},
    {"HoroForestClassifier", Nature::horosphere_trees},
    {"GeodesicForest", Nature::geodesic_trees},
    {"HoroSVC", Nature::horospheres},
    {"PoincareSVC", Nature::boundaries},
    {"PoincarePerceptron", Nature::perceptron},
    {"PoincareSecondOrderPerceptron", Nature::second_order_perceptron},
}};

/// `found` is the nature of the model; of several that fit, whichever the name has.
template <class Fits>
void require_nature(std::string_view estimator, Nature found, const Fits& fits) {
  const auto* const facts = std::ranges::find(all_facts, estimator, &EstimatorFacts::name);
  if (facts != all_facts.end() && !fits(facts->nature)) {
    throw FormatError(fmt::format("the estimator is {}, expected {}, but the model is {}",
                                  facts->name,
                                  nature_texts.at(static_cast<std::size_t>(facts->nature)),
                                  nature_texts.at(static_cast<std::size_t>(found))));
  }
}

}  // namespace

void check_estimator(const Forest& forest) {
  constexpr std::array<Nature, 3> by_task{Nature::classifying_trees, Nature::regressing_trees,
                                          Nature::geodesic_trees};
  const Nature found = by_task.at(static_cast<std::size_t>(forest.task));
  require_nature(forest.estimator, found, [&](Nature nature) {
    return nature == Nature::horosphere_trees
               ? found == Nature::classifying_trees && forest.columns.has(ColumnFamily::horosphere)
               : nature == found;
  });
}

void check_estimator(const HorosphereClassifier& classifier) {
  require_nature(classifier.estimator, Nature::horospheres,
                 [](Nature nature) { return nature == Nature::horospheres; });
}

void check_estimator(const LinearClassifier& classifier) {
  const Nature found = classifier.memory.n_rows() == 0 ? Nature::boundaries
                       : classifier.memory(0, 0) == 0  ? Nature::perceptron
                                                       : Nature::second_order_perceptron;
  require_nature(classifier.estimator, found, [&](Nature nature) { return nature == found; });
}

}  // namespace bentwood
