#pragma once

#include <memory>
#include <string>
#include <utility>

#include "bentwood/infer/engine.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood::python {

/// What an estimator holds after `fit`: the model. Immutable once `fit` returns it, so copies of an estimator share it.
class TrainedForest {
 public:
  explicit TrainedForest(Forest trained)
      : TrainedForest(std::make_shared<Forest>(std::move(trained))) {}

  std::shared_ptr<const Forest> forest;
  Predictor predictor;

  /// Keeps what training has found out besides, as JSON, among the parameters. Only for `fit`, before anybody else has the model.
  void keep(const std::string& name, const std::string& json) { mine_->parameters[name] = json; }

 private:
  explicit TrainedForest(std::shared_ptr<Forest> mine)
      : forest(mine), predictor(forest), mine_(std::move(mine)) {}

  std::shared_ptr<Forest> mine_;
};

}  // namespace bentwood::python
