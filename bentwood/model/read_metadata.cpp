#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/file.hpp"
#include "bentwood/model/json_values.hpp"
#include "bentwood/model/metadata.hpp"
#include "bentwood/model/metadata_names.hpp"

namespace bentwood {
namespace {

using Metadata = std::map<std::string, std::string>;

const std::string& text(const Metadata& metadata, const std::string& name) {
  const auto found = metadata.find(name);
  if (found == metadata.end()) {
    throw FormatError(fmt::format("the metadata lack \"{}\"", name));
  }
  return found->second;
}

/// The items of a JSON array, `expected` of them. Those that are too many are counted, not kept: throws FormatError that says how many `what`
/// there are.
template <class Item>
std::vector<Item> list(const Metadata& metadata, const std::string& name, std::string_view what,
                       std::size_t expected) {
  constexpr bool texts = std::is_same_v<Item, std::string>;
  auto found = [&] {
    if constexpr (texts) {
      return json_texts(text(metadata, name), expected);
    } else {
      return json_integers(text(metadata, name), expected);
    }
  }();
  if (!found) {
    throw FormatError(fmt::format("\"{}\" is {}, expected a list of {}", name,
                                  shown(text(metadata, name)), texts ? "texts" : "whole numbers"));
  }
  if (found->size != expected) {
    throw FormatError(fmt::format("there are {} {}, expected {}", found->size, what, expected));
  }
  return std::move(found->items);
}

/// Names that may be missing, all of them.
std::vector<std::string> names(const Metadata& metadata, const std::string& name,
                               std::string_view what, std::size_t expected) {
  return text(metadata, name) == "[]" ? std::vector<std::string>()
                                      : list<std::string>(metadata, name, what, expected);
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

Labels labels(const Metadata& metadata, std::size_t expected) {
  const std::string& type = text(metadata, "class_type");
  if (type == "integer") {
    return list<std::int64_t>(metadata, "classes", "classes", expected);
  }
  std::vector<std::string> texts = list<std::string>(metadata, "classes", "classes", expected);
  if (type == "text") {
    return texts;
  }
  if (type != "real") {
    throw FormatError(
        fmt::format("\"class_type\" is {}, expected integer, real or text", shown(type)));
  }
  std::vector<double> reals;
  reals.reserve(texts.size());
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
  std::optional<std::map<std::string, std::string>> members =
      json_members(text(metadata, "parameters"));
  if (!members) {
    throw FormatError(fmt::format("\"parameters\" is {}, expected an object",
                                  shown(text(metadata, "parameters"))));
  }
  return std::move(*members);
}

Task parse_task(const std::string& task) {
  const auto* const found = std::ranges::find(task_names, task);
  if (found == task_names.end()) {
    throw FormatError(
        fmt::format("\"task\" is {}, expected {}", shown(task), fmt::join(task_names, ", ")));
  }
  return static_cast<Task>(found - task_names.begin());
}

std::vector<ColumnFamily> families(const Metadata& metadata) {
  constexpr std::size_t most = 4;
  const std::optional<JsonList<std::string>> found = json_texts(text(metadata, "splits"), most);
  if (!found || found->size > most) {
    throw FormatError(
        fmt::format("\"splits\" is {}, expected a list of texts", shown(text(metadata, "splits"))));
  }
  std::vector<ColumnFamily> result;
  for (const std::string& family : found->items) {
    result.push_back(parse_column_family(printable(family)));
  }
  return result;
}

/// A manifold of as many factors as a file of so many numbers can mean.
Manifold manifold(const Metadata& metadata, std::size_t most_factors) {
  return Manifold(Signature(text(metadata, "signature"), most_factors),
                  parse_coordinates(printable(text(metadata, "coordinates"))));
}

Columns columns(const Metadata& metadata, const ForestSizes& sizes) {
  // Every factor has an importance at least.
  Manifold space = manifold(metadata, sizes.n_importances);
  const std::vector<ColumnFamily> splits = families(metadata);
  const Signature& signature = space.signature();
  const std::size_t expected = Columns::n_importances(signature, splits);
  if (expected != sizes.n_importances) {
    throw FormatError(fmt::format("there are {} importances, the signature has {} columns",
                                  sizes.n_importances, expected));
  }
  // The horospheres of a factor are one importance, however many dimensions it has.
  constexpr std::size_t dimensions_a_byte = 256;
  if (signature.dim() / dimensions_a_byte > sizes.n_bytes) {
    throw FormatError(fmt::format("the signature has {} dimensions, too many for {} bytes",
                                  signature.dim(), sizes.n_bytes));
  }
  return Columns(std::move(space), splits);
}

Forest forest_of(Task task, const Metadata& metadata, const ForestSizes& sizes) {
  Forest result{.task = task,
                .estimator = text(metadata, "estimator"),
                .columns = columns(metadata, sizes),
                .off_manifold = parse_off_manifold(printable(text(metadata, "off_manifold"))),
                .trees = {},
                .classes = labels(metadata, task == Task::classification ? sizes.width : 0),
                .output_names = names(metadata, "output_names", "output names",
                                      task == Task::regression ? sizes.width : 0),
                .feature_names = {},
                .importances = {},
                .parameters = parameters(metadata)};
  result.feature_names =
      names(metadata, "feature_names", "feature names", result.columns.manifold().n_columns());
  return result;
}

}  // namespace

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

Forest forest_without_trees(const Metadata& metadata, const ForestSizes& sizes) {
  const Task task = parse_task(text(metadata, "task"));
  if (task == Task::none) {
    throw FormatError("\"task\" is none, expected classification or regression");
  }
  return forest_of(task, metadata, sizes);
}

HorosphereClassifier horosphere_classifier_without_numbers(const Metadata& metadata,
                                                           std::size_t n_horospheres) {
  HorosphereClassifier result{
      .estimator = text(metadata, "estimator"),
      .manifold = manifold(metadata, 1),
      .off_manifold = parse_off_manifold(printable(text(metadata, "off_manifold"))),
      .classes = labels(metadata, n_horospheres == 1 ? 2 : n_horospheres),
      .ideal_points = {},
      .slopes = {},
      .offsets = {},
      .sigmoids = {},
      .n_iterations = {},
      .feature_names = {},
      .parameters = parameters(metadata)};
  result.feature_names =
      names(metadata, "feature_names", "feature names", result.manifold.n_columns());
  return result;
}

LinearClassifier linear_classifier_without_numbers(const Metadata& metadata,
                                                   std::size_t n_boundaries,
                                                   std::size_t n_features) {
  LinearClassifier result{
      .estimator = text(metadata, "estimator"),
      .manifold = manifold(metadata, n_features),  // every factor has a feature at least
      .off_manifold = parse_off_manifold(printable(text(metadata, "off_manifold"))),
      .space = parse_feature_space(printable(text(metadata, "space"))),
      .classes = labels(metadata, n_boundaries == 1 ? 2 : n_boundaries),
      .references = {},
      .coefficients = {},
      .intercepts = {},
      .sigmoids = {},
      .n_iterations = {},
      .support = {},
      .memory = {},
      .feature_names = {},
      .parameters = parameters(metadata)};
  result.feature_names =
      names(metadata, "feature_names", "feature names", result.manifold.n_columns());
  return result;
}

GeodesicForest geodesic_forest_without_trees(const Metadata& metadata, const ForestSizes& sizes) {
  const Task task = parse_task(text(metadata, "task"));
  if (task != Task::none) {
    throw FormatError(fmt::format("\"task\" is {}, expected none",
                                  task_names.at(static_cast<std::size_t>(task))));
  }
  return {.forest = forest_of(task, metadata, sizes),
          .counted = parse_counted_trees(printable(text(metadata, "counted"))),
          .largest_node = whole_number(metadata, "largest_node"),
          .seed = whole_number(metadata, "seed")};
}

}  // namespace bentwood
