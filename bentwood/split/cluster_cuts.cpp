#include "bentwood/split/cluster_cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "bentwood/base/error.hpp"
#include "bentwood/split/cluster_kernels.hpp"
#include "bentwood/split/gaussian_mixture.hpp"

namespace bentwood {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<std::string_view, 4> criterion_names{"two_means", "fast_bic", "fast_bic_raw",
                                                          "em_bic"};

struct Moments {
  double mean = 0;
  double deviation = 0;
};

/// Measured from the middle and by the range, so that neither a large mean nor a large scale costs digits.
Moments moments(std::span<const double> sorted) {
  const auto n = static_cast<double>(sorted.size());
  const double centre = sorted[sorted.size() / 2];
  const double range = sorted.back() - sorted.front();
  const double scale = 1 / range;
  double sum = 0;
  for (const double value : sorted) {
    sum += (value - centre) * scale;
  }
  const double mean = sum / n;
  double squares = 0;
  for (const double value : sorted) {
    const double relative = (value - centre) * scale - mean;
    squares += relative * relative;
  }
  return {centre + mean * range, range * std::sqrt(squares / n)};
}

/// The smallest distance of different values where some repeat, else 0.
double rounding_unit(std::span<const double> sorted) {
  bool repeats = false;
  double smallest = infinity;
  for (std::size_t place = 1; place < sorted.size(); ++place) {
    const double apart = sorted[place] - sorted[place - 1];
    repeats = repeats || apart == 0;
    smallest = std::min(smallest, apart > 0 ? apart : infinity);
  }
  return repeats && smallest < infinity ? smallest : 0;
}

}  // namespace

ClusterCriterion parse_cluster_criterion(std::string_view name) {
  const auto* const found = std::ranges::find(criterion_names, name);
  if (found == criterion_names.end()) {
    throw InvalidInput(fmt::format(
        "criterion is \"{}\", expected \"two_means\", \"fast_bic\", \"fast_bic_raw\" or \"em_bic\"",
        name));
  }
  return static_cast<ClusterCriterion>(found - criterion_names.begin());
}

std::string_view name(ClusterCriterion criterion) {
  return criterion_names.at(static_cast<std::size_t>(criterion));
}

double ClusterCuts::score(std::span<const double> sorted, double least_deviation) {
  n_ = sorted.size();
  first_ = 1;
  last_ = 0;
  if (!set_range()) {
    return infinity;
  }
  const Moments all = moments(sorted);
  if (!(all.deviation > least_deviation) || !std::isfinite(1 / all.deviation) ||
      !std::isfinite(all.deviation)) {
    first_ = 1;
    last_ = 0;
    return infinity;
  }
  const double unit = rounding_unit(sorted) / all.deviation;
  rounding_ = unit * unit / 12 / (1 + unit * unit / 12);
  score_range(sorted, all.mean, all.deviation * std::sqrt(1 + unit * unit / 12));
  if (criterion_ == ClusterCriterion::em_bic) {
    keep_mixture(sorted, all.mean, all.deviation);
  }
  const auto begin = scores_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto end = scores_.begin() + static_cast<std::ptrdiff_t>(last_) + 1;
  best_ = static_cast<std::size_t>(std::min_element(begin, end) - scores_.begin());
  return scores_[best_];
}

/// Where cuts leave enough rows on both sides.
bool ClusterCuts::set_range() {
  const auto by_share =
      static_cast<std::size_t>(std::ceil(limits_.min_share * static_cast<double>(n_)));
  const std::size_t least = std::max({limits_.min_rows, by_share, std::size_t{1}});
  first_ = least;
  last_ = n_ < 2 * least ? 0 : n_ - least;
  return first_ <= last_;
}

/// Scores the cuts anew that leave few different values on a side; there are none where all values differ.
void ClusterCuts::score_few_values(std::span<const double> sorted, double deviation) {
  const auto n = static_cast<double>(n_);
  // Cuts up to `low_end` have few values below them, those from `high_begin` on few above.
  std::size_t low_end = 1;
  for (std::size_t different = 1; low_end < n_; ++low_end) {
    different += sorted[low_end] != sorted[low_end - 1] ? 1U : 0U;
    if (different == few_different_values) {
      break;
    }
  }
  std::size_t high_begin = n_ - 1;
  for (std::size_t different = 1; high_begin > 0; --high_begin) {
    different += sorted[high_begin] != sorted[high_begin - 1] ? 1U : 0U;
    if (different == few_different_values) {
      break;
    }
  }
  const auto part = [&](double count, double sum, double square, double floor) {
    const double mean = sum / count;
    const double variance = square / count - mean * mean + rounding_;
    return GaussianPart{count, std::max({variance, variance_floor, floor})};
  };
  for (std::size_t cut = first_; cut <= last_; ++cut) {
    if (cut > low_end && cut < high_begin) {
      cut = high_begin - 1;
      continue;
    }
    const double apart = (sorted[cut] - sorted[cut - 1]) / deviation;
    const double least = apart * apart / 4;
    const auto count = static_cast<double>(cut);
    const GaussianPart low = part(count, sums_[cut], squares_[cut], cut <= low_end ? least : 0);
    const GaussianPart high = part(n - count, sums_[n_] - sums_[cut], squares_[n_] - squares_[cut],
                                   cut >= high_begin ? least : 0);
    const double shared = (low.count * low.variance + high.count * high.variance) / n;
    scores_[cut] =
        criterion_ == ClusterCriterion::two_means
            ? n * std::log(shared)
            : std::min(different_gaussians_bic(low, high), equal_gaussians_bic(low, high)) -
                  one_gaussian_bic({n, 1});
  }
}

void ClusterCuts::score_range(std::span<const double> sorted, double mean, double deviation) {
  const std::size_t room = n_ + 1 + split_kernels::cluster_overrun;
  if (sums_.size() < room) {
    sums_.resize(2 * room);
    squares_.resize(2 * room);
    mixing_.resize(2 * room);
    scores_.resize(2 * room);
  }
  for (std::size_t k = k_log_k_.size(); k <= n_; ++k) {
    k_log_k_.push_back(k == 0 ? 0 : static_cast<double>(k) * std::log(static_cast<double>(k)));
  }
  const double scale = 1 / deviation;
  double sum = 0;
  double square = 0;
  sums_[0] = squares_[0] = 0;
  for (std::size_t place = 0; place < n_; ++place) {
    const double value = (sorted[place] - mean) * scale;
    sum += value;
    square += value * value;
    sums_[place + 1] = sum;
    squares_[place + 1] = square;
  }
  for (std::size_t cut = first_; cut <= last_; ++cut) {
    mixing_[cut] = -2 * (k_log_k_[cut] + k_log_k_[n_ - cut] - k_log_k_[n_]);
  }
  const split_kernels::ClusterSums sums{sums_.data(), squares_.data(), mixing_.data(),
                                        n_,           rounding_,       variance_floor};
  const auto kernel = criterion_ == ClusterCriterion::two_means
                          ? split_kernels::cluster_kernels.two_means
                          : split_kernels::cluster_kernels.fast_bic;
  kernel(sums, first_, last_, scores_.data());
  score_few_values(sorted, deviation);
  // Whatever the scale, the same for all cuts of a column.
  const auto n = static_cast<double>(n_);
  const double added = criterion_ == ClusterCriterion::fast_bic_raw
                           ? one_gaussian_bic({n, 1}) + 2 * n * std::log(deviation)
                           : 0;
  for (std::size_t cut = first_; cut <= last_; ++cut) {
    scores_[cut] = sorted[cut - 1] < sorted[cut] ? scores_[cut] + added : infinity;
  }
}

/// Leaves the cut of the mixture alone, with the mixture's own score.
void ClusterCuts::keep_mixture(std::span<const double> sorted, double mean, double deviation) {
  const auto begin = scores_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto end = scores_.begin() + static_cast<std::ptrdiff_t>(last_) + 1;
  const auto start = static_cast<std::size_t>(std::min_element(begin, end) - scores_.begin());
  const bool exists = scores_[start] < infinity;
  std::fill(begin, end, infinity);
  if (!exists) {
    return;
  }
  std::vector<double> standard(sorted.begin(), sorted.end());
  for (double& value : standard) {
    value = (value - mean) / deviation;
  }
  const GaussianMixture mixture = gaussian_mixture(standard, start, variance_floor);
  const std::size_t cut = mixture.cut(standard);
  if (cut >= first_ && cut <= last_ && sorted[cut - 1] < sorted[cut]) {
    scores_[cut] = mixture.bic() - one_gaussian_bic({static_cast<double>(n_), 1});
  }
}

std::size_t ClusterCuts::draw(double temperature, double uniform) const {
  if (!(temperature > 0)) {
    return best_;
  }
  const double lowest = scores_[best_];
  const double scale = -1 / (2 * static_cast<double>(n_) * temperature);
  // An infinite score times a scale that has rounded to 0 is not a number.
  const auto weight_of = [&](std::size_t cut) {
    return scores_[cut] < infinity ? std::exp((scores_[cut] - lowest) * scale) : 0;
  };
  double total = 0;
  for (std::size_t cut = first_; cut <= last_; ++cut) {
    total += weight_of(cut);
  }
  double left = uniform * total;
  for (std::size_t cut = first_; cut <= last_; ++cut) {
    const double weight = weight_of(cut);
    if (weight > 0 && left < weight) {
      return cut;
    }
    left -= weight;
  }
  // Rounding left a little over.
  return best_;
}

}  // namespace bentwood
