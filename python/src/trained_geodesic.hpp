#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/neighbours.hpp"
#include "bentwood/model/geodesic_forest.hpp"

namespace bentwood::python {

/// What GeodesicForest holds after `fit`. Immutable, so copies of an estimator share it.
class TrainedGeodesicForest {
 public:
  explicit TrainedGeodesicForest(GeodesicForest trained)
      : model(std::make_shared<const GeodesicForest>(std::move(trained))),
        predictor(std::shared_ptr<const Forest>(model, &model->forest)),
        ready_(std::make_shared<Ready>()) {}

  std::shared_ptr<const GeodesicForest> model;
  /// Finds the leaves of points.
  Predictor predictor;

  /// The model made ready to find neighbours, when it is first asked for.
  [[nodiscard]] const NeighbourIndex& index() const {
    std::call_once(ready_->once, [&] { ready_->index.emplace(model); });
    return *ready_->index;
  }

 private:
  struct Ready {
    std::once_flag once;
    std::optional<NeighbourIndex> index;
  };
  std::shared_ptr<Ready> ready_;
};

}  // namespace bentwood::python
