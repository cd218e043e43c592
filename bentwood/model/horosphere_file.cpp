#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "bentwood/base/error.hpp"
#include "bentwood/model/horosphere_classifier.hpp"
#include "bentwood/model/metadata.hpp"
#include "bentwood/model/model.hpp"
#include "bentwood/model/safetensors.hpp"

namespace bentwood {
namespace {

template <class Number>
std::string_view bytes_of(const Number* numbers, std::size_t count) {
  return {reinterpret_cast<const char*>(numbers), count * sizeof(Number)};
}

template <class Number>
std::vector<Number> numbers(const Tensor& tensor) {
  std::vector<Number> result(tensor.bytes.size() / sizeof(Number));
  if (!result.empty()) {
    std::memcpy(result.data(), tensor.bytes.data(), tensor.bytes.size());
  }
  return result;
}

const Tensor& tensor(const Safetensors& file, const std::string& name, TensorType type,
                     std::size_t n_axes) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) {
    throw FormatError(fmt::format("tensor \"{}\" is missing", name));
  }
  if (found->second.type != type || found->second.shape.size() != n_axes) {
    throw FormatError(fmt::format("tensor \"{}\" has another type or shape than in a model", name));
  }
  return found->second;
}

Matrix matrix(const Tensor& tensor) {
  return {tensor.shape[0], tensor.shape[1], numbers<double>(tensor)};
}

}  // namespace

std::string to_bytes(const HorosphereClassifier& classifier) {
  check_horosphere_classifier(classifier);
  const std::size_t size = classifier.size();
  const Matrix& ideal = classifier.ideal_points;
  const Matrix& sigmoids = classifier.sigmoids;
  Safetensors file;
  file.metadata = metadata(classifier);
  const std::uint64_t n_sigmoids = sigmoids.n_rows();
  file.tensors = {
      {"ideal_point",
       {TensorType::f64, {size, ideal.n_cols()}, bytes_of(ideal.data(), size * ideal.n_cols())}},
      {"slope", {TensorType::f64, {size}, bytes_of(classifier.slopes.data(), size)}},
      {"offset", {TensorType::f64, {size}, bytes_of(classifier.offsets.data(), size)}},
      {"sigmoid",
       {TensorType::f64, {n_sigmoids, 2}, bytes_of(sigmoids.data(), 2 * sigmoids.n_rows())}},
      {"n_iterations", {TensorType::u64, {size}, bytes_of(classifier.n_iterations.data(), size)}}};
  const std::vector<std::string> order{"ideal_point", "slope", "offset", "sigmoid", "n_iterations"};
  std::string result = sealed_header(file, order);
  for (const std::string& name : order) {
    result += file.tensors.at(name).bytes;
  }
  return result;
}

HorosphereClassifier horosphere_classifier(const Safetensors& file) {
  constexpr std::size_t n_tensors = 5;
  if (file.tensors.size() != n_tensors) {
    throw FormatError(
        fmt::format("there are {} tensors, a model has {}", file.tensors.size(), n_tensors));
  }
  const Tensor& ideal_points = tensor(file, "ideal_point", TensorType::f64, 2);
  HorosphereClassifier classifier =
      horosphere_classifier_without_numbers(file.metadata, ideal_points.shape[0]);
  classifier.ideal_points = matrix(ideal_points);
  classifier.slopes = numbers<double>(tensor(file, "slope", TensorType::f64, 1));
  classifier.offsets = numbers<double>(tensor(file, "offset", TensorType::f64, 1));
  classifier.sigmoids = matrix(tensor(file, "sigmoid", TensorType::f64, 2));
  classifier.n_iterations =
      numbers<std::uint64_t>(tensor(file, "n_iterations", TensorType::u64, 1));
  check_horosphere_classifier(classifier);
  return classifier;
}

}  // namespace bentwood
