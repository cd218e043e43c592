#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/geometry/columns.hpp"
#include "bentwood/grow/grow_options.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood {

/// Points about a centre for each class, as rows that carry their polar form.
struct HorosphereProblem {
  Columns columns;
  Matrix points;
  Matrix values;
  Target target;
  std::vector<double> weights;
};

/// `spread` is that of the centres and of the points about them; tangent vectors of the signature. Some rows are there twice, or not
/// at all, where `counted`.
inline HorosphereProblem horosphere_problem(std::string_view signature,
                                            std::vector<ColumnFamily> families, std::size_t n_rows,
                                            std::size_t n_classes, double spread,
                                            std::uint64_t seed, bool counted = false) {
  const Manifold manifold(signature, Coordinates::tangent);
  HorosphereProblem problem{.columns = Columns(manifold, std::move(families)),
                            .points = Matrix(n_rows, manifold.dim()),
                            .values = {},
                            .target = {},
                            .weights = {}};
  Random random(seed);
  Matrix centres(n_classes, manifold.dim());
  for (std::size_t label = 0; label < n_classes; ++label) {
    for (double& component : centres.row(label)) {
      component = spread * random.normal();
    }
  }
  problem.target.width = n_classes;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t label = random.below(n_classes);
    for (std::size_t axis = 0; axis < manifold.dim(); ++axis) {
      problem.points(row, axis) = centres(label, axis) + spread * random.normal();
    }
    problem.target.classes.push_back(static_cast<std::uint32_t>(label));
    problem.weights.push_back(counted ? static_cast<double>(random.below(3)) : 1.0);
  }
  problem.values = problem.columns.values(problem.points);
  return problem;
}

/// Turns classes into numbers: the class, and how far out a point is.
inline void make_regression(HorosphereProblem& problem) {
  problem.target.task = Task::regression;
  problem.target.outputs = Matrix(problem.target.classes.size(), 1);
  for (std::size_t row = 0; row < problem.target.classes.size(); ++row) {
    problem.target.outputs(row, 0) = problem.target.classes[row] + 0.3 * problem.points(row, 0);
  }
  problem.target.width = 1;
  problem.target.classes.clear();
}

}  // namespace bentwood
