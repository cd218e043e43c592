#include "bentwood/linear/horosphere_svm.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

/// Draws from which the pool of one restart is made.
constexpr std::size_t draws_a_restart = 2;

/// The roundings of the loss with which a descent goes on one after the other.
std::span<const double> roundings(MarginLoss loss) {
  static constexpr std::array<double, 3> hinge{1, 0.1, 0.01};
  static constexpr std::array<double, 1> squared_hinge{0};
  return loss == MarginLoss::hinge ? std::span<const double>(hinge)
                                   : std::span<const double>(squared_hinge);
}

/// Whether a direction is within 20 degrees of one of some others.
bool is_near(std::span<const double> direction, std::span<const double> others) {
  constexpr double cosine = 0.94;
  for (std::size_t first = 0; first < others.size(); first += direction.size()) {
    if (std::inner_product(direction.begin(), direction.end(),
                           others.subspan(first, direction.size()).begin(), 0.0) > cosine) {
      return true;
    }
  }
  return false;
}

/// A number that points of equal coordinates share, and no others but by chance.
std::uint64_t point_hash(const PolarPoints& points, std::size_t row) {
  auto hash = std::bit_cast<std::uint64_t>(points.radius()[row]);
  for (std::size_t axis = 0; axis < points.dim(); ++axis) {
    // The finalizer of SplitMix64.
    hash = (hash ^ (hash >> 30U)) * 0xBF58476D1CE4E5B9U;
    hash ^= std::bit_cast<std::uint64_t>(points.direction(axis)[row]);
  }
  hash = (hash ^ (hash >> 27U)) * 0x94D049BB133111EBU;
  return hash ^ (hash >> 31U);
}

std::size_t n_blocks(std::size_t n_rows) {
  return (n_rows + PolarPoints::block - 1) / PolarPoints::block;
}

/// A direction to look in: evenly spread where that is possible, else of a Gaussian.
void draw_direction(Random& random, std::size_t draw, std::size_t n_draws, double phase,
                    std::span<double> direction) {
  if (direction.size() == 1) {
    direction[0] = draw % 2 == 0 ? 1 : -1;
  } else if (direction.size() == 2) {
    const double angle =
        2 * std::numbers::pi * (phase + static_cast<double>(draw)) / static_cast<double>(n_draws);
    direction[0] = std::cos(angle);
    direction[1] = std::sin(angle);
  } else {
    for (double& component : direction) {
      component = random.normal();
    }
  }
}

}  // namespace

double balanced_weight(double balance, double n_rows) {
  if (balance == 0 || n_rows == 0) {
    return 1;
  }
  return balance == 1 ? 1 / n_rows : (1 - balance) / -std::expm1(n_rows * std::log(balance));
}

void HorosphereSvm::assign(const PolarPoints& points, std::span<const std::uint32_t> rows,
                           std::span<const double> weights, Random random) {
  assert(weights.empty() || weights.size() == rows.size());
  places_.clear();
  rows_.clear();
  weights_.clear();
  for (std::size_t place = 0; place < rows.size(); ++place) {
    const double weight = weights.empty() ? 1 : weights[place];
    if (weight > 0) {
      places_.push_back(static_cast<std::uint32_t>(place));
      rows_.push_back(rows[place]);
      weights_.push_back(weight);
    }
  }
  points_.assign(points, rows_);
  find_lengths();
  draw_pool(random);
}

/// What all problems on the rows ask of them to find class directions. With A = (exp(2r) - 1) / 4 no transcendental function is needed.
void HorosphereSvm::find_lengths() {
  const std::size_t n_rows = points_.n_rows();
  const double* const stretch = points_.stretch();
  const double farthest =
      n_rows > 0 ? std::sqrt(4 * *std::max_element(stretch, stretch + n_rows) + 1) : 1;
  far_lengths_.resize(n_rows);
  lengths_.resize(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double grown = 4 * stretch[row];
    far_lengths_[row] = grown / std::sqrt(grown + 1) / farthest;
    lengths_[row] = grown / (grown + 2);
  }
}

/// Of many rows those whose hash says so: neither their order matters, nor whether a row is there twice or weighs 2.
void HorosphereSvm::draw_sample() {
  const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  const auto most = static_cast<double>(options_.most_sampled);
  const auto one_of = static_cast<std::uint64_t>(std::min(total / most, 1e9)) + 1;
  sample_.clear();
  for (std::uint32_t place = 0; place < rows_.size(); ++place) {
    if (one_of == 1 || point_hash(points_, place) % one_of == 0) {
      sample_.push_back(place);
    }
  }
  // Weights of any size, or few different points.
  if (sample_.size() * 4 < std::min(options_.most_sampled, rows_.size())) {
    sample_.resize(rows_.size());
    std::iota(sample_.begin(), sample_.end(), 0U);
  }
}

/// Every draw g gives g itself, the direction of the row that is farthest towards g, and that of the difference in the Klein ball of
/// the rows farthest towards g and away from it: rows that do not depend on their order, nor on how often they are there.
void HorosphereSvm::draw_pool(Random& random) {
  pool_.clear();
  pool_levels_.clear();
  draw_sample();
  sample_points_.assign(points_, sample_);
  const std::size_t dim = points_.dim();
  const std::size_t n_draws = options_.n_restarts * draws_a_restart;
  const double phase = random.uniform();
  ideal_.resize(dim);
  for (std::size_t draw = 0; draw < n_draws && !sample_.empty(); ++draw) {
    draw_direction(random, draw, n_draws, phase, ideal_);
    normalise(ideal_);
    std::pair lowest(std::numeric_limits<double>::infinity(), std::size_t{0});
    std::pair highest(-std::numeric_limits<double>::infinity(), std::size_t{0});
    for (std::size_t row = 0; row < sample_points_.n_rows(); ++row) {
      double towards = 0;
      for (std::size_t axis = 0; axis < dim; ++axis) {
        towards += ideal_[axis] * sample_points_.direction(axis)[row];
      }
      lowest = std::min(lowest, {towards, row});
      highest = towards > highest.first ? std::pair(towards, row) : highest;
    }
    add_to_pool(ideal_);
    for (std::size_t axis = 0; axis < dim; ++axis) {
      ideal_[axis] = sample_points_.direction(axis)[highest.second];
    }
    add_to_pool(ideal_);
    const auto klein = [&](std::size_t axis, std::size_t row) {
      return std::tanh(sample_points_.radius()[row]) * sample_points_.direction(axis)[row];
    };
    for (std::size_t axis = 0; axis < dim; ++axis) {
      ideal_[axis] = klein(axis, highest.second) - klein(axis, lowest.second);
    }
    add_to_pool(ideal_);
  }
}

void HorosphereSvm::add_to_pool(std::span<const double> direction) {
  throw_if_interrupted();
  pool_.insert(pool_.end(), direction.begin(), direction.end());
  const std::span<double> kept = std::span(pool_).last(direction.size());
  normalise(kept);
  const std::size_t size = sample_points_.stride();
  pool_levels_.resize(pool_levels_.size() + size);
  scratch_.resize(size);
  busemann_levels(sample_points_, kept, std::span(pool_levels_).last(size), scratch_);
}

void HorosphereSvm::set_problem(std::span<const double> signs) {
  std::array<double, 2> totals{};
  for (std::size_t index = 0; index < places_.size(); ++index) {
    totals.at(signs[places_[index]] > 0 ? 1 : 0) += weights_[index];
  }
  const std::array<double, 2> factors{options_.cost * balanced_weight(options_.balance, totals[0]),
                                      options_.cost * balanced_weight(options_.balance, totals[1])};
  signs_.assign(points_.stride(), 1);
  costs_.assign(points_.stride(), 0);
  for (std::size_t index = 0; index < places_.size(); ++index) {
    const bool positive = signs[places_[index]] > 0;
    signs_[index] = positive ? 1 : -1;
    costs_[index] = factors.at(positive ? 1 : 0) * weights_[index];
  }
  const std::size_t size = n_blocks(sample_.size()) * PolarPoints::block;
  double sampled = 0;
  for (const std::uint32_t place : sample_) {
    sampled += weights_[place];
  }
  const double left_out = (totals[0] + totals[1]) / sampled;
  sample_signs_.assign(size, 1);
  sample_costs_.assign(size, 0);
  for (std::size_t index = 0; index < sample_.size(); ++index) {
    sample_signs_[index] = signs_[sample_[index]];
    sample_costs_[index] = costs_[sample_[index]] * left_out;
  }
  objective_.assign(points_, signs_, costs_);
}

/// The directions of the Einstein mean of either side, and those of the difference of their means in the Klein ball, there and back.
void HorosphereSvm::find_class_directions() {
  const std::size_t dim = points_.dim();
  class_directions_.assign(4 * dim, 0);
  std::array<double, 2> totals{};
  for (std::size_t row = 0; row < points_.n_rows(); ++row) {
    const std::size_t side = signs_[row] > 0 ? 0 : 1;
    const double far = costs_[row] * far_lengths_[row];
    const double near = costs_[row] * lengths_[row];
    totals.at(side) += costs_[row];
    for (std::size_t axis = 0; axis < dim; ++axis) {
      class_directions_[side * dim + axis] += far * points_.direction(axis)[row];
      class_directions_[(2 + side) * dim + axis] += near * points_.direction(axis)[row];
    }
  }
  for (std::size_t axis = 0; axis < dim; ++axis) {
    double& there = class_directions_[2 * dim + axis];
    double& back = class_directions_[3 * dim + axis];
    there = there / totals[0] - back / totals[1];
    back = -there;
  }
  for (std::size_t first = 0; first < class_directions_.size(); first += dim) {
    normalise(std::span(class_directions_).subspan(first, dim));
  }
}

/// How good a direction can be at least: the squared hinge of the sample, for any loss.
Margin HorosphereSvm::score(std::span<const double> levels) {
  throw_if_interrupted();
  return margins_.solve({levels, sample_signs_, sample_costs_}, MarginLoss::squared_hinge,
                        options_.side, options_.start_tolerance);
}

/// The best direction of the classes, and the best ones of the pool.
void HorosphereSvm::choose_starts() {
  const std::size_t dim = points_.dim();
  const std::size_t size = sample_points_.stride();
  starts_.clear();
  const auto take = [&](const std::vector<double>& directions, std::size_t index) {
    const auto first = directions.begin() + static_cast<std::ptrdiff_t>(index * dim);
    starts_.insert(starts_.end(), first, first + static_cast<std::ptrdiff_t>(dim));
  };
  scratch_.resize(2 * size);
  const std::span<double> levels = std::span(scratch_).first(size);
  std::pair best(std::numeric_limits<double>::infinity(), std::size_t{0});
  for (std::size_t index = 0; index * dim < class_directions_.size(); ++index) {
    busemann_levels(sample_points_, std::span(class_directions_).subspan(index * dim, dim), levels,
                    std::span(scratch_).last(size));
    const Margin margin = score(levels);
    if (margin.objective < best.first) {
      best = {margin.objective, index};
      class_margin_ = margin;
    }
  }
  take(class_directions_, best.second);
  scores_.clear();
  for (std::size_t index = 0; index * dim < pool_.size(); ++index) {
    scores_.emplace_back(score(std::span(pool_levels_).subspan(index * size, size)).objective,
                         index);
  }
  std::ranges::sort(scores_);
  for (const auto& [value, index] : scores_) {
    if (starts_.size() > options_.n_restarts * dim) {
      break;
    }
    // Neighbours would end in the same valley.
    const std::span<const double> direction = std::span(pool_).subspan(index * dim, dim);
    if (!is_near(direction, starts_)) {
      take(pool_, index);
    }
  }
}

bool HorosphereSvm::takes_newton_steps() const {
  return options_.newton_tolerance > 0 && options_.loss == MarginLoss::squared_hinge &&
         points_.dim() >= 2 && points_.dim() <= most_newton_dim;
}

/// Both move x_, an ideal point, and the margin to a local minimum, and say whether they got there.
bool HorosphereSvm::descend_by_newton(Margin& margin, Horosphere& best) {
  newton_.assign(points_, signs_, costs_);
  const NewtonResult result =
      newton_.minimise(x_, margin, {options_.max_iterations, options_.newton_tolerance});
  best.n_iterations += result.n_iterations;
  return result.converged;
}

bool HorosphereSvm::descend_by_lbfgs(Margin& margin, Horosphere& best) {
  const std::size_t dim = points_.dim();
  const double sign = margin.slope < 0 ? -1 : 1;
  x_.push_back(std::log(std::abs(margin.slope)));
  x_.push_back(margin.offset);
  LbfgsResult result;
  std::size_t n_left = options_.max_iterations;
  for (const double rounding : roundings(options_.loss)) {
    result = lbfgs_.minimise(
        [&](std::span<const double> x, std::span<double> gradient) {
          return free_objective(objective_, x, sign, rounding, ideal_, gradient);
        },
        x_, {n_left, options_.tolerance});
    n_left -= result.n_iterations;
    best.n_iterations += result.n_iterations;
  }
  margin = {sign * std::exp(x_[dim]), x_[dim + 1], result.value};
  x_.resize(dim);
  normalise(x_);
  return result.converged;
}

void HorosphereSvm::descend(std::span<const double> start, bool is_class, Horosphere& best) {
  // Where starts need not be exact, what is known of the class directions will do.
  Margin margin = is_class && options_.start_tolerance > 0
                      ? class_margin_
                      : margins_.solve(objective_.rows(start), MarginLoss::squared_hinge,
                                       options_.side, options_.start_tolerance);
  constexpr double least_slope = 1e-3;
  margin.slope = std::copysign(std::max(std::abs(margin.slope), least_slope), margin.slope);
  x_.assign(start.begin(), start.end());
  const bool converged =
      takes_newton_steps() ? descend_by_newton(margin, best) : descend_by_lbfgs(margin, best);
  if (options_.exact_margin) {
    margin = margins_.solve(objective_.rows(x_), options_.loss, options_.side);
  }
  if (best.ideal.empty() || margin.objective < best.margin.objective) {
    best.ideal = x_;
    best.margin = margin;
    best.converged = converged;
  }
}

Horosphere HorosphereSvm::solve(std::span<const double> signs) {
  const std::size_t dim = points_.dim();
  const auto positive = [&](std::uint32_t place) { return signs[place] > 0; };
  Horosphere best;
  if (std::ranges::all_of(places_, positive) || std::ranges::none_of(places_, positive)) {
    // Nothing to tell apart: every row has its margin.
    best.ideal.assign(dim, 0);
    best.ideal[0] = 1;
    best.margin.offset = std::ranges::all_of(places_, positive) ? -1 : 1;
    best.converged = true;
    return best;
  }
  set_problem(signs);
  find_class_directions();
  choose_starts();
  ideal_.resize(dim);
  for (std::size_t first = 0; first < starts_.size(); first += dim) {
    descend(std::span(starts_).subspan(first, dim), first == 0, best);
  }
  return best;
}

Horosphere horosphere_svm(const PolarPoints& points, std::span<const std::uint32_t> rows,
                          std::span<const double> signs, std::span<const double> weights,
                          const HorosphereSvmOptions& options, Random random) {
  HorosphereSvm svm(options);
  svm.assign(points, rows, weights, random);
  return svm.solve(signs);
}

}  // namespace bentwood
