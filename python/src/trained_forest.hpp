#pragma once

#include <memory>
#include <utility>

#include "bentwood/infer/engine.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood::python {

/// What an estimator holds after `fit`: the model. Immutable, so copies of an estimator share it.
class TrainedForest {
 public:
  explicit TrainedForest(Forest trained)
      : forest(std::make_shared<const Forest>(std::move(trained))), predictor(forest) {}

  std::shared_ptr<const Forest> forest;
  Predictor predictor;
};

}  // namespace bentwood::python
