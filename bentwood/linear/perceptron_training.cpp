#include "bentwood/linear/perceptron_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/linear/ambient_points.hpp"
#include "bentwood/linear/class_rows.hpp"
#include "bentwood/linear/features.hpp"
#include "bentwood/linear/perceptron_bound.hpp"
#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/describe.hpp"
#include "bentwood/model/perceptron_memory.hpp"
#include "bentwood/model/training_facts.hpp"

namespace bentwood {
namespace {

using Options = PerceptronTrainingOptions;

/// The uses of a seed.
enum Purpose : std::uint64_t { order_of_rows };

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The rows of a training: classes, and the points and reference points in ambient coordinates.
struct Rows : ClassRows {
  Matrix points;
  Matrix references;
};

/// The rows as a boundary sees them.
struct Seen {
  Matrix features;
  std::vector<double> signs;
  std::vector<std::size_t> order;
};

/// What learning a boundary gives.
struct Learned {
  Perceptron perceptron;
  std::vector<double> weights{};
  std::uint64_t n_passes = 0;
  bool converged = false;
  PerceptronBound bound{};
};

Seen seen(const Manifold& manifold, const Rows& rows, std::size_t index) {
  Seen result{
      linear_features(manifold, rows.points, FeatureSpace::weighted, rows.references.row(index)),
      signs_of(rows, index), std::vector<std::size_t>(rows.classes.size())};
  std::iota(result.order.begin(), result.order.end(), std::size_t{0});
  return result;
}

/// One pass over the rows; false where `max_updates` cut it off.
bool pass(Perceptron& perceptron, const Seen& rows, std::uint64_t max_updates) {
  constexpr std::size_t numbers_between_questions = std::size_t{1} << 20U;
  const std::size_t n_features = rows.features.n_cols();
  std::size_t n_numbers = 0;
  for (const std::size_t row : rows.order) {
    const bool changed = perceptron.see(rows.features.row(row), rows.signs[row]);
    n_numbers += n_features * (changed && perceptron.correlation() ? 4 * n_features : 1);
    if (n_numbers > numbers_between_questions) {
      throw_if_interrupted();
      n_numbers = 0;
    }
    if (changed && perceptron.n_updates() >= max_updates) {
      return false;
    }
  }
  throw_if_interrupted();
  return true;
}

/// The w of the model: the last or the mean one, divided by its length.
std::vector<double> weights_of(const Perceptron& perceptron, bool average) {
  const std::span<const double> last = perceptron.weights();
  std::vector<double> result =
      average ? perceptron.average() : std::vector<double>(last.begin(), last.end());
  const double size = length(result);
  for (double& value : result) {
    value = size > 0 ? value / size : 0;
  }
  return result;
}

Learned learn(const Rows& rows, std::size_t index, const Options& options) {
  Seen own = seen(options.manifold, rows, index);
  Learned learned{.perceptron = Perceptron(own.features.n_cols(), options.kind)};
  bool whole = true;
  while (whole && !learned.converged && learned.n_passes < options.max_passes) {
    if (options.shuffle) {
      Random(options.seed, order_of_rows, learned.n_passes).shuffle(std::span(own.order));
    }
    const std::uint64_t before = learned.perceptron.n_updates();
    whole = pass(learned.perceptron, own, options.max_updates);
    learned.converged = learned.perceptron.n_updates() == before;
    ++learned.n_passes;
  }
  learned.weights = weights_of(learned.perceptron, options.average);
  learned.bound = perceptron_bound(
      {options.manifold, rows.points, rows.references.row(index), own.features, own.signs},
      learned.weights, learned.perceptron.correlation());
  return learned;
}

Learned learn_on(const LinearClassifier* before, const Rows& rows, std::size_t index,
                 const Options& options) {
  const Seen own = seen(options.manifold, rows, index);
  const std::size_t n_features = own.features.n_cols();
  Learned learned{.perceptron = Perceptron(n_features, options.kind)};
  if (before != nullptr) {
    learned.perceptron = Perceptron(n_features, options.kind, before->memory.row(index));
    learned.n_passes = before->n_iterations[index];
  }
  (void)pass(learned.perceptron, own, unlimited);
  ++learned.n_passes;
  learned.weights = weights_of(learned.perceptron, options.average);
  return learned;
}

/// A number of each boundary, null where it is not finite.
std::string list_json(const std::vector<Learned>& all,
                      const std::function<double(const Learned&)>& number) {
  std::string result = "[";
  for (const Learned& one : all) {
    result += result.size() > 1 ? "," : "";
    result += std::isfinite(number(one)) ? fmt::format("{}", number(one)) : "null";
  }
  return result + "]";
}

/// All boundaries, learned on several threads and kept in the model.
std::vector<Learned> learn_all(LinearClassifier& classifier,
                               const std::function<Learned(std::size_t)>& learn_one) {
  std::vector<std::optional<Learned>> found(n_boundaries(n_labels(classifier.classes)));
  parallel_tasks(found.size(), [&](std::size_t index) { found[index] = learn_one(index); });
  std::vector<Learned> all;
  for (std::optional<Learned>& one : found) {
    all.push_back(std::move(*one));
  }
  classifier.coefficients = Matrix(all.size(), all.front().weights.size());
  classifier.intercepts.assign(all.size(), 0);
  for (std::size_t index = 0; index < all.size(); ++index) {
    std::ranges::copy(all[index].weights, classifier.coefficients.row(index).begin());
    classifier.n_iterations.push_back(all[index].n_passes);
    const std::vector<double> memory = all[index].perceptron.memory();
    if (index == 0) {
      classifier.memory = Matrix::uninitialized(all.size(), memory.size());
    }
    std::ranges::copy(memory, classifier.memory.row(index).begin());
  }
  classifier.parameters["n_updates"] = list_json(
      all, [](const Learned& one) { return static_cast<double>(one.perceptron.n_updates()); });
  return all;
}

/// The model without its boundaries.
PerceptronTraining described(const Labels& labels, const AmbientPoints& ambient,
                             const Options& options) {
  PerceptronTraining result{.classifier = {.manifold = options.manifold}};
  result.n_projected = ambient.n_projected;
  result.largest_residual = ambient.largest_residual;
  result.classifier.estimator = !options.estimator.empty()  ? options.estimator
                                : options.kind.second_order ? "PoincareSecondOrderPerceptron"
                                                            : "PoincarePerceptron";
  result.classifier.off_manifold = options.off_manifold;
  result.classifier.space = FeatureSpace::weighted;
  result.classifier.classes = labels;
  result.classifier.feature_names = options.feature_names;
  result.classifier.parameters = options.parameters;
  keep_projected(options.off_manifold, result.n_projected, result.classifier.parameters);
  return result;
}

void find_references_of(const Rows& rows, const Options& options, LinearClassifier& classifier) {
  classifier.references =
      reference_points(options.manifold, rows.points, rows.classes, {}, rows.n_classes,
                       options.reference, options.references, classifier.parameters);
}

void check_kind(const PerceptronKind& kind) {
  if (!(kind.regularization >= 0 && kind.regularization <= PerceptronMemory::most_regularization)) {
    throw InvalidInput(fmt::format("regularization is {}, expected a number from 0 to 1e100",
                                   kind.regularization));
  }
}

/// Throws unless a model can learn on from rows with these labels and options.
void check_fits(const LinearClassifier& before, const Labels& labels, const Options& options) {
  if (before.memory.n_rows() == 0) {
    throw InvalidInput("the model has no memory of its training, and cannot learn on");
  }
  if (before.manifold.signature() != options.manifold.signature() ||
      before.manifold.coordinates() != options.manifold.coordinates()) {
    throw InvalidInput(fmt::format(
        "the model is on {} in {} coordinates, the rows are on {} in {}; fit it anew to change it",
        before.manifold.signature().text(), name(before.manifold.coordinates()),
        options.manifold.signature().text(), name(options.manifold.coordinates())));
  }
  if (before.classes != labels) {
    throw InvalidInput("the model has other classes than the rows; fit it anew to change them");
  }
}

/// Reference points are found in the first batch and stay: it must have rows of every class.
void require_every_class(std::span<const std::uint32_t> classes, const Labels& labels,
                         const Options& options) {
  if (options.reference == ReferenceKind::given || options.reference == ReferenceKind::origin) {
    return;
  }
  for (std::uint32_t label = 0; label < n_labels(labels); ++label) {
    if (std::ranges::find(classes, label) == classes.end()) {
      throw InvalidInput(fmt::format(
          "the first batch has no row of class {}, and reference points are found between the "
          "classes of it; give it some, or reference points, or reference \"origin\"",
          shown_label(labels, label)));
    }
  }
}

}  // namespace

PerceptronTraining train_perceptron(Points points, std::span<const std::uint32_t> classes,
                                    const Labels& labels, const Options& options) {
  check_kind(options.kind);
  AmbientPoints ambient = ambient_points(options.manifold, options.off_manifold, points);
  PerceptronTraining result = described(labels, ambient, options);
  LinearClassifier& classifier = result.classifier;
  Rows rows{checked_rows(classes, {}, {}, points.rows.n_rows(), n_labels(labels)),
            std::move(ambient.points),
            {}};
  find_references_of(rows, options, classifier);
  rows.references = classifier.references;
  const std::vector<Learned> all =
      learn_all(classifier, [&](std::size_t index) { return learn(rows, index, options); });
  result.n_stopped = static_cast<std::size_t>(
      std::ranges::count_if(all, [](const Learned& one) { return !one.converged; }));
  classifier.parameters["margin"] =
      list_json(all, [](const Learned& one) { return one.bound.margin; });
  classifier.parameters["bound"] =
      list_json(all, [](const Learned& one) { return one.bound.mistakes; });
  check_linear_classifier(classifier);
  return result;
}

PerceptronTraining learn_batch(const LinearClassifier* before, Points points,
                               std::span<const std::uint32_t> classes, const Labels& labels,
                               const Options& options) {
  check_kind(options.kind);
  if (before != nullptr) {
    check_fits(*before, labels, options);
  }
  AmbientPoints ambient = ambient_points(options.manifold, options.off_manifold, points);
  PerceptronTraining result = described(labels, ambient, options);
  LinearClassifier& classifier = result.classifier;
  Rows rows{
      plain_rows(classes, points.rows.n_rows(), n_labels(labels)), std::move(ambient.points), {}};
  if (before == nullptr) {
    require_every_class(classes, labels, options);
    find_references_of(rows, options, classifier);
  } else {
    classifier.references = before->references;
    const auto told = before->parameters.find("overlapping");
    if (told != before->parameters.end()) {
      classifier.parameters.insert(*told);
    }
  }
  rows.references = classifier.references;
  (void)learn_all(classifier,
                  [&](std::size_t index) { return learn_on(before, rows, index, options); });
  check_linear_classifier(classifier);
  return result;
}

}  // namespace bentwood
