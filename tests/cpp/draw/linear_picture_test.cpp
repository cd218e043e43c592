#include "bentwood/draw/linear_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>

#include "bentwood/base/error.hpp"
#include "bentwood/linear/linear_training.hpp"

namespace bentwood {
namespace {

constexpr double size = 720;
constexpr double half_side = size / 2 - 28;

LinearClassifier boundary(FeatureSpace space, double intercept) {
  const Manifold disk("H2(-0.25)", Coordinates::poincare);
  const bool lorentz = space == FeatureSpace::lorentz;
  return {.estimator = "PoincareSVC",
          .manifold = disk,
          .space = space,
          .classes = std::vector<std::int64_t>{0, 1},
          .references = lorentz ? Matrix()
                                : disk.convert(Matrix(1, 2, {0.6, -0.3}), Coordinates::poincare,
                                               Coordinates::ambient),
          .coefficients = lorentz ? Matrix(1, 3, {0.4, 1.5, -0.8}) : Matrix(1, 2, {1.5, -0.8}),
          .intercepts = {intercept},
          .n_iterations = {1}};
}

double score(const LinearClassifier& classifier, double x, double y) {
  return scores(classifier, Matrix(1, 2, {2 * x, 2 * y})).values(0, 0);  // the disk has radius 2
}

/// The places of the boundary in the disk of radius 1: on its circle, or at the corners of its line.
std::vector<std::pair<double, double>> drawn_boundary(const std::string& picture) {
  const auto x = [](const std::string& text) { return (std::stod(text) - size / 2) / half_side; };
  const auto y = [](const std::string& text) {
    return -(std::stod(text) - size / 2 - 64) / half_side;
  };
  std::vector<std::pair<double, double>> result;
  std::smatch found;
  const std::regex circle(
      R"re(<circle cx="([-0-9.]+)" cy="([-0-9.]+)" r="([-0-9.]+)"[^>]*stroke-width="2")re");
  if (std::regex_search(picture, found, circle)) {
    const double radius = std::stod(found[3]) / half_side;
    for (int turn = 0; turn < 360; ++turn) {
      const double angle = 2 * M_PI * turn / 360;
      result.emplace_back(x(found[1]) + radius * std::cos(angle),
                          y(found[2]) + radius * std::sin(angle));
    }
    return result;
  }
  const std::regex path(R"re(<path d="(M[^"]*)"[^>]*stroke-width="2")re");
  if (std::regex_search(picture, found, path)) {
    const std::string commands = found[1];
    const std::regex corner(R"re([ML]([-0-9.]+) ([-0-9.]+))re");
    for (std::sregex_iterator at(commands.begin(), commands.end(), corner), end; at != end; ++at) {
      result.emplace_back(x((*at)[1]), y((*at)[2]));
    }
  }
  return result;
}

TEST(LinearPicture, draws_boundaries_where_scores_are_zero) {
  for (const FeatureSpace space :
       {FeatureSpace::tangent, FeatureSpace::weighted, FeatureSpace::lorentz}) {
    for (const double intercept : {0.0, 0.3}) {
      const LinearClassifier classifier = boundary(space, intercept);
      const std::string picture =
          linear_picture(classifier, {.rows = Matrix(0, 2)}, {.size = size});
      std::size_t n_inside = 0;
      for (const auto& [x, y] : drawn_boundary(picture)) {
        if (std::hypot(x, y) < 0.95) {
          ++n_inside;
          // A tenth of a pixel to either side has another sign.
          const double step = 0.1 / half_side;
          double low = INFINITY;
          double high = -INFINITY;
          for (int turn = 0; turn < 8; ++turn) {
            const double angle = M_PI * turn / 4;
            const double value =
                score(classifier, x + step * std::cos(angle), y + step * std::sin(angle));
            low = std::min(low, value);
            high = std::max(high, value);
          }
          EXPECT_LT(low, 0) << name(space) << intercept;
          EXPECT_GT(high, 0) << name(space) << intercept;
        }
      }
      EXPECT_GT(n_inside, 5U) << name(space) << intercept;
    }
  }
}

TEST(LinearPicture, is_of_the_hyperbolic_plane_alone) {
  LinearClassifier classifier = boundary(FeatureSpace::lorentz, 0);
  classifier.manifold = Manifold("H1 x E1");
  try {
    (void)linear_picture(classifier, {.rows = Matrix(0, 3)});
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()),
              "the model is on H1 x E1, expected H2: only planes can be drawn");
  }
}

}  // namespace
}  // namespace bentwood
