#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "bentwood/infer/engine.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood::python {

/// What an estimator holds after `fit`: the model. Immutable, so copies of an estimator share it.
class TrainedForest {
 public:
  explicit TrainedForest(Forest trained)
      : forest(std::make_shared<const Forest>(std::move(trained))),
        ready_(std::make_shared<Ready>()) {}

  std::shared_ptr<const Forest> forest;

  /// The model made ready to predict, when it is first asked for: a forest may be grown only to be saved.
  [[nodiscard]] const Predictor& predictor() const {
    std::call_once(ready_->once, [&] { ready_->predictor.emplace(forest); });
    return *ready_->predictor;
  }

 private:
  struct Ready {
    std::once_flag once;
    std::optional<Predictor> predictor;
  };
  std::shared_ptr<Ready> ready_;
};

}  // namespace bentwood::python
