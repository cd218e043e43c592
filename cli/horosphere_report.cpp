#include "cli/horosphere_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
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

/// The class on the positive side of each horosphere.
std::vector<std::string> positive_classes(const HorosphereClassifier& classifier) {
  std::vector<std::string> names = label_texts(classifier.classes);
  return classifier.size() == 1 ? std::vector<std::string>{names.back()} : names;
}

/// The value of the Busemann function on a horosphere, a length on the manifold.
double level(const HorosphereClassifier& classifier, std::size_t index) {
  return -classifier.offsets[index] / classifier.slopes[index] *
         classifier.manifold.signature().factors().front().radius();
}

void append_horosphere(std::string& out, const HorosphereClassifier& classifier,
                       const std::string& name, std::size_t index) {
  std::vector<std::string> numbers;
  const std::span<const double> ideal = classifier.ideal_points.row(index);
  for (const double component : ideal.first(std::min(ideal.size(), most_numbers))) {
    numbers.push_back(fmt::format("{:.4f}", component));
  }
  if (ideal.size() > most_numbers) {
    numbers.emplace_back("...");
  }
  append(out, "  {} {} B <= {:.4f} towards ({}), slope {:.4g}\n", printable(name, longest_name),
         classifier.slopes[index] >= 0 ? "inside" : "outside", level(classifier, index),
         fmt::join(numbers, ", "), classifier.slopes[index]);
}

}  // namespace

std::string size_text(const HorosphereClassifier& classifier, std::size_t n_bytes) {
  return fmt::format("{} horosphere{}, {} bytes", classifier.size(),
                     classifier.size() == 1 ? "" : "s", n_bytes);
}

nlohmann::ordered_json parameters_json(const HorosphereClassifier& classifier) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : classifier.parameters) {
    json[name] = nlohmann::ordered_json::parse(value);
  }
  return json;
}

std::string model_text(const std::string& source, const HorosphereClassifier& classifier,
                       std::size_t n_bytes) {
  std::string out = fmt::format("{}: {}, {} bytes\n", source,
                                printable(classifier.estimator, longest_name), n_bytes);
  append(out, "  task         classification\n");
  append(out, "  signature    {}\n", classifier.manifold.signature().text());
  append(out, "  coordinates  {}\n", name(classifier.manifold.coordinates()));
  append(out, "  rows off it  {}\n",
         classifier.off_manifold == OffManifold::error ? "error" : "project");
  append(out, "  classes      {}\n", label_texts(classifier.classes).size());
  append(out, "  probability  {}\n", classifier.sigmoids.n_rows() > 0 ? "learned" : "no");
  for (std::size_t index = 0; const auto& [name, value] : classifier.parameters) {
    append(out, "  {:<12} {} = {}\n", index++ == 0 ? "parameters" : "",
           printable(name, longest_name), printable(value, longest_name));
  }
  out += "horospheres, B the Busemann function of an ideal point:\n";
  const std::vector<std::string> names = positive_classes(classifier);
  const std::size_t n_shown = std::min(names.size(), most_lines);
  for (std::size_t index = 0; index < n_shown; ++index) {
    append_horosphere(out, classifier, names[index], index);
  }
  if (names.size() > n_shown) {
    append(out, "  ... and {} more\n", names.size() - n_shown);
  }
  return out;
}

nlohmann::ordered_json model_json(const std::string& source, const HorosphereClassifier& classifier,
                                  std::size_t n_bytes) {
  nlohmann::ordered_json json{
      {"source", source},
      {"estimator", classifier.estimator},
      {"task", "classification"},
      {"signature", classifier.manifold.signature().text()},
      {"coordinates", name(classifier.manifold.coordinates())},
      {"off_manifold", classifier.off_manifold == OffManifold::error ? "error" : "project"},
      {"feature_names", classifier.feature_names}};
  std::visit([&](const auto& classes) { json["classes"] = classes; }, classifier.classes);
  json["size"] = {{"horospheres", classifier.size()}, {"bytes", n_bytes}};
  json["probability"] = classifier.sigmoids.n_rows() > 0;
  json["parameters"] = parameters_json(classifier);
  json["horospheres"] = nlohmann::ordered_json::array();
  for (std::size_t index = 0; index < classifier.size(); ++index) {
    const std::span<const double> ideal = classifier.ideal_points.row(index);
    json["horospheres"].push_back({{"ideal_point", std::vector<double>(ideal.begin(), ideal.end())},
                                   {"slope", classifier.slopes[index]},
                                   {"offset", classifier.offsets[index]}});
  }
  return json;
}

}  // namespace bentwood::cli
