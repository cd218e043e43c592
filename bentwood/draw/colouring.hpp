#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "bentwood/draw/palette.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// The colours of what a model says: one a class, or steps of a scale of values.
class Colouring {
 public:
  Colouring(const Forest& forest, std::size_t output)
      : classification_(forest.task == Task::classification),
        n_classes_(forest.width()),
        output_(output) {}

  /// Makes the scale reach a value; of no use to classes.
  void include(double value);

  [[nodiscard]] bool classification() const { return classification_; }
  [[nodiscard]] double least() const { return least_ <= most_ ? least_ : 0; }
  [[nodiscard]] double most() const { return least_ <= most_ ? most_ : 0; }

  /// The number that stands for what a leaf says: the value of the drawn output.
  [[nodiscard]] double value(std::span<const double> leaf) const { return leaf[output_]; }
  /// The number of its colour: the class of the greatest share, the first of equal ones; or the step
  /// of the scale.
  [[nodiscard]] std::size_t number(std::span<const double> leaf) const;
  [[nodiscard]] std::size_t number_of_value(double value) const;

  [[nodiscard]] std::size_t size() const { return classification_ ? n_classes_ : n_steps; }
  [[nodiscard]] std::string colour(std::size_t number) const;

 private:
  /// As fine as a screen can show.
  static constexpr std::size_t n_steps = 128;

  bool classification_ = true;
  std::size_t n_classes_ = 0;
  std::size_t output_ = 0;
  double least_ = 1;
  double most_ = 0;
};

}  // namespace bentwood
