#include <fmt/format.h>

#include <cstring>

#include "bentwood/base/error.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/model/linear_classifier.hpp"
#include "bentwood/model/metadata.hpp"
#include "bentwood/model/model.hpp"
#include "bentwood/model/safetensors.hpp"

namespace bentwood {
namespace {

template <class Number>
std::string_view bytes_of(const Number* numbers, std::size_t count) {
  return {reinterpret_cast<const char*>(numbers), count * sizeof(Number)};
}

Tensor tensor_of(const Matrix& matrix) {
  return {TensorType::f64,
          {matrix.n_rows(), matrix.n_cols()},
          bytes_of(matrix.data(), matrix.n_rows() * matrix.n_cols())};
}

Tensor tensor_of(const std::vector<double>& values) {
  return {TensorType::f64, {values.size()}, bytes_of(values.data(), values.size())};
}

Tensor tensor_of(const std::vector<std::uint64_t>& values) {
  return {TensorType::u64, {values.size()}, bytes_of(values.data(), values.size())};
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

Matrix matrix(const Safetensors& file, const std::string& name) {
  const Tensor& found = tensor(file, name, TensorType::f64, 2);
  return {found.shape[0], found.shape[1], numbers<double>(found)};
}

}  // namespace

std::string to_bytes(const LinearClassifier& classifier) {
  check_linear_classifier(classifier);
  Safetensors file;
  file.metadata = metadata(classifier);
  file.tensors = {{"coefficient", tensor_of(classifier.coefficients)},
                  {"intercept", tensor_of(classifier.intercepts)},
                  {"reference", tensor_of(classifier.references)},
                  {"sigmoid", tensor_of(classifier.sigmoids)},
                  {"n_iterations", tensor_of(classifier.n_iterations)},
                  {"support", tensor_of(classifier.support)}};
  std::vector<std::string> order{"coefficient", "intercept",    "reference",
                                 "sigmoid",     "n_iterations", "support"};
  if (classifier.memory.n_rows() > 0) {
    file.tensors["memory"] = tensor_of(classifier.memory);
    order.emplace_back("memory");
  }
  std::string result = sealed_header(file, order);
  for (const std::string& name : order) {
    result += file.tensors.at(name).bytes;
  }
  return result;
}

LinearClassifier linear_classifier(const Safetensors& file) {
  const bool has_memory = file.tensors.contains("memory");
  const std::size_t n_tensors = has_memory ? 7 : 6;
  if (file.tensors.size() != n_tensors) {
    throw FormatError(
        fmt::format("there are {} tensors, a model has {}", file.tensors.size(), n_tensors));
  }
  const Tensor& coefficients = tensor(file, "coefficient", TensorType::f64, 2);
  LinearClassifier classifier = linear_classifier_without_numbers(
      file.metadata, coefficients.shape[0], coefficients.shape[1]);
  classifier.coefficients = matrix(file, "coefficient");
  classifier.intercepts = numbers<double>(tensor(file, "intercept", TensorType::f64, 1));
  classifier.references = matrix(file, "reference");
  classifier.sigmoids = matrix(file, "sigmoid");
  classifier.n_iterations =
      numbers<std::uint64_t>(tensor(file, "n_iterations", TensorType::u64, 1));
  classifier.support = numbers<std::uint64_t>(tensor(file, "support", TensorType::u64, 1));
  if (has_memory) {
    classifier.memory = matrix(file, "memory");
  }
  check_linear_classifier(classifier);
  return classifier;
}

void save(const LinearClassifier& classifier, const std::string& path) {
  const std::string bytes = to_bytes(classifier);
  write_file(path, std::span(&bytes, 1));
}

}  // namespace bentwood
