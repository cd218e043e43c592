#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace bentwood {

/// The best cut of points of H2 by any horocycle, by its decrease in Gini impurity times the number of points: the oracle of everything that
/// looks for horospheres.
///
/// With x = (cosh r, sinh r v), the order along w(φ) is that of x_0 - x_1 cos φ - x_2 sin φ. Two points change places at the two angles where
/// theirs are equal; at each of them one cut changes, so all orders are seen in O(n² log n) for n points in general position.
class AngularSweep {
 public:
  struct Point {
    double x0;
    double x1;
    double x2;
    std::size_t label;
  };

  AngularSweep(std::vector<Point> points, std::size_t n_classes)
      : points_(std::move(points)), n_classes_(n_classes), totals_(n_classes, 0.0) {
    for (const Point& point : points_) {
      ++totals_[point.label];
    }
  }

  [[nodiscard]] double best_gain(std::size_t min_rows = 1) {
    start(min_rows);
    double best = 0;
    for (std::size_t cut = 0; cut + 1 < points_.size(); ++cut) {
      best = std::max(best, gain_at(cut));
    }
    for (const Event& event : events()) {
      const std::size_t first = std::min(place_[event.a], place_[event.b]);
      swap_at(first);
      best = std::max(best, gain_at(first));
    }
    return best;
  }

 private:
  struct Event {
    double angle;
    std::size_t a;
    std::size_t b;
  };

  [[nodiscard]] double level(std::size_t item, double angle) const {
    const Point& point = points_[item];
    return point.x0 - point.x1 * std::cos(angle) - point.x2 * std::sin(angle);
  }

  void start(std::size_t min_rows) {
    min_rows_ = min_rows;
    order_.resize(points_.size());
    place_.resize(points_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::sort(order_, {}, [&](std::size_t item) { return level(item, 0); });
    before_.assign((points_.size() + 1) * n_classes_, 0.0);
    for (std::size_t place = 0; place < order_.size(); ++place) {
      place_[order_[place]] = place;
      std::copy_n(&before_[place * n_classes_], n_classes_, &before_[(place + 1) * n_classes_]);
      ++before_[(place + 1) * n_classes_ + points_[order_[place]].label];
    }
  }

  /// All changes of places, by angle.
  [[nodiscard]] std::vector<Event> events() const {
    std::vector<Event> result;
    for (std::size_t a = 0; a < points_.size(); ++a) {
      for (std::size_t b = a + 1; b < points_.size(); ++b) {
        const double difference0 = points_[a].x0 - points_[b].x0;
        const double difference1 = points_[a].x1 - points_[b].x1;
        const double difference2 = points_[a].x2 - points_[b].x2;
        const double middle = std::atan2(difference2, difference1);
        const double apart =
            std::acos(std::clamp(difference0 / std::hypot(difference1, difference2), -1.0, 1.0));
        for (const double angle : {middle - apart, middle + apart}) {
          const double turn = std::remainder(angle, 2 * std::numbers::pi);
          result.push_back({turn < 0 ? turn + 2 * std::numbers::pi : turn, a, b});
        }
      }
    }
    std::ranges::sort(result, {}, &Event::angle);
    return result;
  }

  void swap_at(std::size_t first) {
    double* const before = &before_[(first + 1) * n_classes_];
    --before[points_[order_[first]].label];
    ++before[points_[order_[first + 1]].label];
    std::swap(order_[first], order_[first + 1]);
    place_[order_[first]] = first;
    place_[order_[first + 1]] = first + 1;
  }

  /// Of the cut after a place.
  [[nodiscard]] double gain_at(std::size_t cut) const {
    const std::size_t n_left = cut + 1;
    const std::size_t n_right = points_.size() - n_left;
    if (n_left < min_rows_ || n_right < min_rows_) {
      return 0;
    }
    double left = 0;
    double right = 0;
    double all = 0;
    for (std::size_t label = 0; label < n_classes_; ++label) {
      const double there = before_[n_left * n_classes_ + label];
      left += there * there;
      right += (totals_[label] - there) * (totals_[label] - there);
      all += totals_[label] * totals_[label];
    }
    return left / static_cast<double>(n_left) + right / static_cast<double>(n_right) -
           all / static_cast<double>(points_.size());
  }

  std::vector<Point> points_;
  std::size_t n_classes_;
  std::vector<double> totals_;
  std::size_t min_rows_ = 1;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> place_;
  /// The points of every class before each place.
  std::vector<double> before_;
};

}  // namespace bentwood
