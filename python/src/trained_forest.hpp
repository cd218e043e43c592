#pragma once

#include <memory>
#include <mutex>
#include <optional>
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

  /// Keeps what training has found out besides, as JSON, among the parameters. Only for `fit`, before anybody else has the model.
  void keep(const std::string& name, const std::string& json) { mine_->parameters[name] = json; }

  /// The model made ready to predict, when it is first asked for: a forest may be grown only to be saved.
  [[nodiscard]] const Predictor& predictor() const {
    std::call_once(ready_->once, [&] { ready_->predictor.emplace(forest); });
    return *ready_->predictor;
  }

 private:
  explicit TrainedForest(std::shared_ptr<Forest> mine)
      : forest(mine), mine_(std::move(mine)), ready_(std::make_shared<Ready>()) {}

  struct Ready {
    std::once_flag once;
    std::optional<Predictor> predictor;
  };
  std::shared_ptr<Forest> mine_;
  std::shared_ptr<Ready> ready_;
};

}  // namespace bentwood::python
