#pragma once

#include <memory>
#include <utility>

#include "bentwood/model/linear_classifier.hpp"

namespace bentwood::python {

/// What linear classifiers hold after `fit`. Immutable, so copies of an estimator share it.
struct TrainedLinear {
  explicit TrainedLinear(LinearClassifier trained)
      : classifier(std::make_shared<const LinearClassifier>(std::move(trained))) {}

  std::shared_ptr<const LinearClassifier> classifier;
};

}  // namespace bentwood::python
