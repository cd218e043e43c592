#include "bentwood/model/metadata.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/metadata_names.hpp"

namespace bentwood {
namespace {

using Json = nlohmann::json;
using Metadata = std::map<std::string, std::string>;

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

}  // namespace bentwood
