#include "cli/linear_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "bentwood/data/text.hpp"
#include "bentwood/model/describe.hpp"

namespace bentwood::cli {
namespace {

constexpr std::size_t most_lines = 20;
constexpr std::size_t most_numbers = 6;
constexpr std::size_t longest_name = 40;

template <class... Values>
void append(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
}

/// The class on the positive side of each boundary.
std::vector<std::string> positive_classes(const LinearClassifier& classifier) {
  std::vector<std::string> names = label_texts(classifier.classes);
  return classifier.size() == 1 ? std::vector<std::string>{names.back()} : names;
}

/// Reference points in the coordinates of the input; no row where there are none.
Matrix own_references(const LinearClassifier& classifier) {
  return classifier.space == FeatureSpace::lorentz
             ? Matrix()
             : classifier.manifold.convert(classifier.references, Coordinates::ambient,
                                           classifier.manifold.coordinates());
}

std::string numbers_text(std::span<const double> numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers.first(std::min(numbers.size(), most_numbers))) {
    texts.push_back(fmt::format("{:.4g}", number));
  }
  if (numbers.size() > most_numbers) {
    texts.emplace_back("...");
  }
  return fmt::format("({})", fmt::join(texts, ", "));
}

/// What the training of a perceptron tells of a boundary, none where it does not: a file may say anything.
std::optional<double> told(const LinearClassifier& classifier, const std::string& name,
                           std::size_t index) {
  const auto found = classifier.parameters.find(name);
  if (found == classifier.parameters.end()) {
    return std::nullopt;
  }
  const nlohmann::json list = nlohmann::json::parse(found->second, nullptr, false);
  return list.is_array() && index < list.size() && list[index].is_number()
             ? std::optional(list[index].get<double>())
             : std::nullopt;
}

/// ", 51 mistakes of at most 803", of a perceptron.
std::string mistakes_text(const LinearClassifier& classifier, std::size_t index) {
  const std::optional<double> found = told(classifier, "n_updates", index);
  const std::optional<double> bound = told(classifier, "bound", index);
  return found ? fmt::format(", {} mistake{}{}", *found, *found == 1 ? "" : "s",
                             bound ? fmt::format(" of at most {:.4g}", *bound) : "")
               : "";
}

}  // namespace

std::string size_text(const LinearClassifier& classifier, std::size_t n_bytes) {
  return fmt::format("{} boundar{}, {} bytes", classifier.size(),
                     classifier.size() == 1 ? "y" : "ies", n_bytes);
}

nlohmann::ordered_json parameters_json(const LinearClassifier& classifier) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : classifier.parameters) {
    json[name] = nlohmann::ordered_json::parse(value);
  }
  return json;
}

std::string model_text(const std::string& source, const LinearClassifier& classifier,
                       std::size_t n_bytes) {
  std::string out = fmt::format("{}: {}, {} bytes\n", source,
                                printable(classifier.estimator, longest_name), n_bytes);
  append(out, "  task         classification\n");
  append(out, "  signature    {}\n", classifier.manifold.signature().text());
  append(out, "  coordinates  {}\n", name(classifier.manifold.coordinates()));
  append(out, "  rows off it  {}\n",
         classifier.off_manifold == OffManifold::error ? "error" : "project");
  append(out, "  classes      {}\n", label_texts(classifier.classes).size());
  append(out, "  features     {}\n", name(classifier.space));
  if (classifier.memory.n_rows() == 0) {
    append(out, "  support      {} rows\n", classifier.support.size());
  }
  append(out, "  probability  {}\n", classifier.sigmoids.n_rows() > 0 ? "learned" : "no");
  for (std::size_t index = 0; const auto& [name, value] : classifier.parameters) {
    append(out, "  {:<12} {} = {}\n", index++ == 0 ? "parameters" : "",
           printable(name, longest_name), printable(value, longest_name));
  }
  out += "boundaries, w the weights of the features:\n";
  const std::vector<std::string> names = positive_classes(classifier);
  const Matrix references = own_references(classifier);
  const std::size_t n_shown = std::min(names.size(), most_lines);
  for (std::size_t index = 0; index < n_shown; ++index) {
    append(out, "  {} w = {}, b = {:.4g}{}{}\n", printable(names[index], longest_name),
           numbers_text(classifier.coefficients.row(index)), classifier.intercepts[index],
           references.n_rows() > 0 ? " from " + numbers_text(references.row(index)) : "",
           mistakes_text(classifier, index));
  }
  if (names.size() > n_shown) {
    append(out, "  ... and {} more\n", names.size() - n_shown);
  }
  return out;
}

nlohmann::ordered_json model_json(const std::string& source, const LinearClassifier& classifier,
                                  std::size_t n_bytes) {
  const auto list = [](std::span<const double> numbers) {
    return std::vector<double>(numbers.begin(), numbers.end());
  };
  nlohmann::ordered_json json{
      {"source", source},
      {"estimator", classifier.estimator},
      {"task", "classification"},
      {"signature", classifier.manifold.signature().text()},
      {"coordinates", name(classifier.manifold.coordinates())},
      {"off_manifold", classifier.off_manifold == OffManifold::error ? "error" : "project"},
      {"feature_names", classifier.feature_names}};
  std::visit([&](const auto& classes) { json["classes"] = classes; }, classifier.classes);
  json["size"] = {{"boundaries", classifier.size()},
                  {"support", classifier.support.size()},
                  {"bytes", n_bytes}};
  json["space"] = name(classifier.space);
  json["probability"] = classifier.sigmoids.n_rows() > 0;
  json["parameters"] = parameters_json(classifier);
  json["boundaries"] = nlohmann::ordered_json::array();
  const Matrix references = own_references(classifier);
  for (std::size_t index = 0; index < classifier.size(); ++index) {
    nlohmann::ordered_json boundary{{"coefficients", list(classifier.coefficients.row(index))},
                                    {"intercept", classifier.intercepts[index]},
                                    {"reference", nullptr}};
    if (references.n_rows() > 0) {
      boundary["reference"] = list(references.row(index));
    }
    for (const char* const name : {"n_updates", "margin", "bound"}) {
      if (const std::optional<double> value = told(classifier, name, index)) {
        boundary[name] = *value;
      }
    }
    json["boundaries"].push_back(std::move(boundary));
  }
  return json;
}

}  // namespace bentwood::cli
