// Trains a forest on a product of a hyperbolic plane and a sphere, looks at it, saves it, loads it again and
// predicts one point. CMake builds this with the tests.
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "bentwood/datasets/mixture.hpp"
#include "bentwood/ensemble/train.hpp"
#include "bentwood/infer/engine.hpp"
#include "bentwood/model/file.hpp"

int main() {
  using namespace bentwood;

  // Three wrapped normals, one a class.
  const Signature signature("H2 x S2");
  const LabelledPoints data =
      wrapped_normal_mixture({.signature = signature, .n_classes = 3, .noise = 0.2, .seed = 1});

  Target target;
  target.task = Task::classification;
  target.width = 3;
  target.classes.assign(data.labels.begin(), data.labels.end());
  const Labels classes = std::vector<std::string>{"leaf", "root", "stem"};

  TrainOptions options{.columns = Columns(Manifold(signature))};
  options.forest.n_trees = 50;
  options.forest.grow.max_features = square_root_features(options.columns.size());
  const Training training = train_forest(data.points, target, classes, options);

  std::cout << "importances:\n";
  for (std::size_t column = 0; column < options.columns.size(); ++column) {
    std::cout << "  " << options.columns.name(options.columns.columns()[column]) << "  "
              << training.forest.importances[column] << '\n';
  }

  const auto path = std::filesystem::temp_directory_path() / "bentwood-example.bent";
  save(training.forest, path.string());
  const Predictor predictor(load(path.string()));
  std::filesystem::remove(path);

  const MatrixView first(data.points.data(), 1, data.points.n_cols());
  const Matrix shares = predictor.values(first).values;
  const auto& names = std::get<std::vector<std::string>>(predictor.forest().classes);
  std::cout << "the first point:\n";
  for (std::size_t label = 0; label < names.size(); ++label) {
    std::cout << "  " << names[label] << "  " << shares(0, label) << '\n';
  }
  return shares(0, static_cast<std::size_t>(data.labels[0])) > 0.5 ? 0 : 1;
}
