#include <algorithm>
#include <memory>

#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/neighbours.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/model.hpp"
#include "fuzz.hpp"
#include "model/model_bytes.hpp"

// The checksums are made right first, else nothing would get past them. What is read must be written again, and walked the same
// way by both engines.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bentwood;
  const ThreadLimit serial(1);
  std::string bytes(as_text(data, size));
  reseal(bytes);
  (void)read_or_refuse([&] {
    Model model = model_from_bytes(bytes, "a.bent");
    if (const auto* const classifier = std::get_if<HorosphereClassifier>(&model)) {
      const std::string again = to_bytes(*classifier);
      require(to_bytes(std::get<HorosphereClassifier>(model_from_bytes(again))) == again);
      return;
    }
    if (const auto* const linear = std::get_if<LinearClassifier>(&model)) {
      const std::string again = to_bytes(*linear);
      require(to_bytes(std::get<LinearClassifier>(model_from_bytes(again))) == again);
      return;
    }
    if (auto* const found = std::get_if<GeodesicForest>(&model)) {
      const std::string again = to_bytes(*found);
      require(to_bytes(std::get<GeodesicForest>(model_from_bytes(again))) == again);
      const NeighbourIndex index(std::make_shared<const GeodesicForest>(std::move(*found)));
      const Proximities near = index.training_proximities();
      require(
          std::ranges::all_of(near.values, [](double value) { return value > 0 && value <= 1; }));
      return;
    }
    Forest forest = std::get<Forest>(std::move(model));
    const std::string again = to_bytes(forest);
    require(to_bytes(from_bytes(again)) == again);
    const Matrix origin(2, forest.columns.row_width());
    const Predictor predictor(std::move(forest));
    const Matrix found = predictor.values_of_columns(origin);
    const Matrix expected = predict_values_of_columns(predictor.forest(), origin);
    for (std::size_t output = 0; output < found.n_cols(); ++output) {
      require(found(0, output) == expected(0, output) && found(1, output) == expected(1, output));
    }
  });
  return 0;
}
