#include "bentwood/model/metadata.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/file.hpp"

namespace bentwood {
namespace {

using Json = nlohmann::json;
using Metadata = std::map<std::string, std::string>;

constexpr std::string_view format_name = "bentwood";

const std::string& text(const Metadata& metadata, const std::string& name) {
  const auto found = metadata.find(name);
  if (found == metadata.end()) {
    throw FormatError(fmt::format("the metadata lack \"{}\"", name));
  }
  return found->second;
}

/// JSON that is nested no deeper than a person would write it; nothing where it is not JSON.
std::optional<Json> parse_json(std::string_view json) {
  constexpr int deepest = 16;
  bool too_deep = false;
  Json result = Json::parse(
      json,
      [&](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > deepest;
        return !too_deep;
      },
      false);
  return result.is_discarded() || too_deep ? std::nullopt : std::optional(std::move(result));
}

std::string utf8(const std::string& name, std::string_view what) {
  if (!is_utf8(name)) {
    throw InvalidInput(fmt::format("{} {} is not UTF-8", what, shown(name)));
  }
  return name;
}

Json names_json(const std::vector<std::string>& names, std::string_view what) {
  Json result = Json::array();
  for (const std::string& name : names) {
    result.push_back(utf8(name, what));
  }
  return result;
}

Json labels_json(const Labels& labels) {
  if (const auto* const integers = std::get_if<std::vector<std::int64_t>>(&labels)) {
    return *integers;
  }
  if (const auto* const reals = std::get_if<std::vector<double>>(&labels)) {
    std::vector<std::string> digits;
    for (const double real : *reals) {
      digits.push_back(number_text(real));
    }
    return digits;
  }
  return names_json(std::get<std::vector<std::string>>(labels), "class");
}

Json parameters_json(const Metadata& parameters) {
  Json result = Json::object();
  for (const auto& [name, value] : parameters) {
    std::optional<Json> json = parse_json(value);
    if (!json) {
      throw InvalidInput(
          fmt::format("parameter {} is {}, which is not JSON", shown(name), shown(value)));
    }
    result[utf8(name, "parameter")] = std::move(*json);
  }
  return result;
}

/// The items of a JSON array of `Item`s.
template <class Item>
std::vector<Item> list(const Metadata& metadata, const std::string& name) {
  const std::optional<Json> json = parse_json(text(metadata, name));
  const auto fits = [](const Json& item) {
    if constexpr (std::is_same_v<Item, std::string>) {
      return item.is_string();
    } else {
      return item.is_number_integer() &&
             (!item.is_number_unsigned() ||
              item.get<std::uint64_t>() <=
                  static_cast<std::uint64_t>(std::numeric_limits<Item>::max()));
    }
  };
  if (!json || !json->is_array() || !std::ranges::all_of(*json, fits)) {
    throw FormatError(fmt::format("\"{}\" is {}, expected a list of {}", name,
                                  shown(text(metadata, name)),
                                  std::is_same_v<Item, std::string> ? "texts" : "whole numbers"));
  }
  return json->get<std::vector<Item>>();
}

std::uint64_t whole_number(const Metadata& metadata, const std::string& name) {
  const std::string& digits = text(metadata, name);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    throw FormatError(fmt::format("\"{}\" is {}, expected a whole number", name, shown(digits)));
  }
  return value;
}

Labels labels(const Metadata& metadata) {
  const std::string& type = text(metadata, "class_type");
  if (type == "integer") {
    return list<std::int64_t>(metadata, "classes");
  }
  std::vector<std::string> texts = list<std::string>(metadata, "classes");
  if (type == "text") {
    return texts;
  }
  if (type != "real") {
    throw FormatError(
        fmt::format("\"class_type\" is {}, expected integer, real or text", shown(type)));
  }
  std::vector<double> reals;
  for (const std::string& digits : texts) {
    double value = 0;
    if (parse_number(digits, value) != NumberKind::number) {
      throw FormatError(fmt::format("class {} is not a number", shown(digits)));
    }
    reals.push_back(value);
  }
  return reals;
}

std::map<std::string, std::string> parameters(const Metadata& metadata) {
  const std::optional<Json> json = parse_json(text(metadata, "parameters"));
  if (!json || !json->is_object()) {
    throw FormatError(fmt::format("\"parameters\" is {}, expected an object",
                                  shown(text(metadata, "parameters"))));
  }
  std::map<std::string, std::string> result;
  for (const auto& [name, value] : json->items()) {
    result.emplace(name, value.dump());
  }
  return result;
}

/// In the order of Task.
constexpr std::array<std::string_view, 3> task_names{"classification", "regression", "none"};

Task parse_task(const std::string& task) {
  const auto* const found = std::ranges::find(task_names, task);
  if (found == task_names.end()) {
    throw FormatError(
        fmt::format("\"task\" is {}, expected {}", shown(task), fmt::join(task_names, ", ")));
  }
  return static_cast<Task>(found - task_names.begin());
}

std::vector<ColumnFamily> families(const Metadata& metadata) {
  std::vector<ColumnFamily> result;
  for (const std::string& family : list<std::string>(metadata, "splits")) {
    result.push_back(parse_column_family(printable(family)));
  }
  return result;
}

/// Columns::n_importances, without making the columns.
std::size_t n_importances(const Signature& signature, std::span<const ColumnFamily> families) {
  const auto has = [&](ColumnFamily family) {
    return std::ranges::find(families, family) != families.end();
  };
  const bool has_axes = has(ColumnFamily::geodesic) || has(ColumnFamily::pairs);
  const bool only_horospheres = !has_axes && has(ColumnFamily::horosphere);
  const bool only_chordal = !has_axes && !has(ColumnFamily::horosphere);
  std::size_t result = 0;
  for (const Factor& factor : signature.factors()) {
    const bool is_hyperbolic = factor.geometry == Geometry::hyperbolic;
    const bool is_spherical = factor.geometry == Geometry::spherical;
    const bool is_left_out = (is_hyperbolic && only_horospheres) || (is_spherical && only_chordal);
    result += is_left_out ? 0 : factor.dim;
    result += is_spherical && has(ColumnFamily::chordal) ? factor.dim + 1 : 0;
    result += has(ColumnFamily::pairs) ? factor.dim * (factor.dim - 1) / 2 : 0;
    result += is_hyperbolic && has(ColumnFamily::horosphere) ? std::size_t{1} : 0;
  }
  return result;
}

Columns columns(const Metadata& metadata, std::size_t n_found, std::size_t n_bytes) {
  const std::vector<ColumnFamily> splits = families(metadata);
  const Signature signature(text(metadata, "signature"));
  const std::size_t expected = n_importances(signature, splits);
  if (expected != n_found) {
    throw FormatError(
        fmt::format("there are {} importances, the signature has {} columns", n_found, expected));
  }
  // The horospheres of a factor are one importance, however many dimensions it has.
  constexpr std::size_t dimensions_a_byte = 256;
  if (signature.dim() / dimensions_a_byte > n_bytes) {
    throw FormatError(fmt::format("the signature has {} dimensions, too many for {} bytes",
                                  signature.dim(), n_bytes));
  }
  const Coordinates coordinates = parse_coordinates(printable(text(metadata, "coordinates")));
  return Columns(Manifold(signature, coordinates), splits);
}

/// In the order of ModelKind.
constexpr std::array<std::string_view, 4> kind_names{"forest", "horospheres", "linear",
                                                     "neighbours"};

/// What every kind of model says of itself.
template <class AnyModel>
Metadata shared_metadata(const AnyModel& model, const Manifold& manifold) {
  constexpr std::array<std::string_view, 3> class_types{"integer", "real", "text"};
  return {
      {"class_type", std::string(class_types.at(model.classes.index()))},
      {"classes", labels_json(model.classes).dump()},
      {"coordinates", std::string(name(manifold.coordinates()))},
      {"estimator", utf8(model.estimator, "estimator")},
      {"feature_names", names_json(model.feature_names, "feature name").dump()},
      {"format", std::string(format_name)},
      {"format_version", "1"},
      {"off_manifold", model.off_manifold == OffManifold::error ? "error" : "project"},
      {"parameters", parameters_json(model.parameters).dump()},
      {"signature", manifold.signature().text()},
  };
}

}  // namespace

Metadata metadata(const Forest& forest) {
  Json splits = Json::array();
  for (const ColumnFamily family : forest.columns.families()) {
    splits.push_back(name(family));
  }
  Metadata result = shared_metadata(forest, forest.columns.manifold());
  // Whoever knows no own columns or sparse values is told so by the version; all others keep the bytes that they had.
  const char* const dense = forest.columns.has(ColumnFamily::horosphere) ? "2" : "1";
  result["format_version"] = forest.trees.front().is_sparse() ? "5" : dense;
  result["kind"] = kind_names.at(static_cast<std::size_t>(ModelKind::forest));
  result["output_names"] = names_json(forest.output_names, "output name").dump();
  result["splits"] = splits.dump();
  result["task"] = task_names.at(static_cast<std::size_t>(forest.task));
  return result;
}

Metadata metadata(const GeodesicForest& forest) {
  Metadata result = metadata(forest.forest);
  result["format_version"] = forest.doubts.empty() ? "3" : "4";
  result["kind"] = kind_names.at(static_cast<std::size_t>(ModelKind::neighbours));
  result["counted"] = name(forest.counted);
  result["largest_node"] = std::to_string(forest.largest_node);
  result["seed"] = std::to_string(forest.seed);
  return result;
}

Metadata metadata(const HorosphereClassifier& classifier) {
  Metadata result = shared_metadata(classifier, classifier.manifold);
  result["kind"] = kind_names.at(static_cast<std::size_t>(ModelKind::horospheres));
  return result;
}

Metadata metadata(const LinearClassifier& classifier) {
  Metadata result = shared_metadata(classifier, classifier.manifold);
  result["format_version"] = classifier.memory.n_rows() > 0 ? "2" : "1";
  result["kind"] = kind_names.at(static_cast<std::size_t>(ModelKind::linear));
  result["space"] = name(classifier.space);
  return result;
}

ModelKind check_format(const Metadata& metadata) {
  const auto format = metadata.find("format");
  if (format == metadata.end() || format->second != format_name) {
    throw FormatError("is a safetensors file, but not a model of bentwood");
  }
  const std::optional<std::int64_t> version = parse_integer(text(metadata, "format_version"));
  if (!version || *version < 1) {
    throw FormatError(fmt::format("\"format_version\" is {}, expected a number from 1 on",
                                  shown(text(metadata, "format_version"))));
  }
  if (*version > model_format_version) {
    throw FormatError(
        fmt::format("was written by a newer version of bentwood: its format is {}, this version "
                    "reads formats up to {}",
                    *version, model_format_version));
  }
  const std::string& kind = text(metadata, "kind");
  const auto* const found = std::ranges::find(kind_names, kind);
  if (found == kind_names.end()) {
    throw FormatError(
        fmt::format("\"kind\" is {}, expected {}", shown(kind), fmt::join(kind_names, ", ")));
  }
  return static_cast<ModelKind>(found - kind_names.begin());
}

bool splits_have_horospheres(const Metadata& metadata) {
  const std::vector<ColumnFamily> splits = families(metadata);
  return std::ranges::find(splits, ColumnFamily::horosphere) != splits.end();
}

Forest forest_without_trees(const Metadata& metadata, std::size_t n_importances,
                            std::size_t n_bytes) {
  return {.task = parse_task(text(metadata, "task")),
          .estimator = text(metadata, "estimator"),
          .columns = columns(metadata, n_importances, n_bytes),
          .off_manifold = parse_off_manifold(printable(text(metadata, "off_manifold"))),
          .trees = {},
          .classes = labels(metadata),
          .output_names = list<std::string>(metadata, "output_names"),
          .feature_names = list<std::string>(metadata, "feature_names"),
          .importances = {},
          .parameters = parameters(metadata)};
}

HorosphereClassifier horosphere_classifier_without_numbers(const Metadata& metadata) {
  const Coordinates coordinates = parse_coordinates(printable(text(metadata, "coordinates")));
  return {.estimator = text(metadata, "estimator"),
          .manifold = Manifold(Signature(text(metadata, "signature")), coordinates),
          .off_manifold = parse_off_manifold(printable(text(metadata, "off_manifold"))),
          .classes = labels(metadata),
          .ideal_points = {},
          .slopes = {},
          .offsets = {},
          .sigmoids = {},
          .n_iterations = {},
          .feature_names = list<std::string>(metadata, "feature_names"),
          .parameters = parameters(metadata)};
}

LinearClassifier linear_classifier_without_numbers(const Metadata& metadata) {
  const Coordinates coordinates = parse_coordinates(printable(text(metadata, "coordinates")));
  return {.estimator = text(metadata, "estimator"),
          .manifold = Manifold(Signature(text(metadata, "signature")), coordinates),
          .off_manifold = parse_off_manifold(printable(text(metadata, "off_manifold"))),
          .space = parse_feature_space(printable(text(metadata, "space"))),
          .classes = labels(metadata),
          .references = {},
          .coefficients = {},
          .intercepts = {},
          .sigmoids = {},
          .n_iterations = {},
          .support = {},
          .memory = {},
          .feature_names = list<std::string>(metadata, "feature_names"),
          .parameters = parameters(metadata)};
}

GeodesicForest geodesic_forest_without_trees(const Metadata& metadata, std::size_t n_importances,
                                             std::size_t n_bytes) {
  return {.forest = forest_without_trees(metadata, n_importances, n_bytes),
          .counted = parse_counted_trees(printable(text(metadata, "counted"))),
          .largest_node = whole_number(metadata, "largest_node"),
          .seed = whole_number(metadata, "seed")};
}

}  // namespace bentwood
