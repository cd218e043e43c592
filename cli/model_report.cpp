#include "cli/model_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "bentwood/data/text.hpp"
#include "bentwood/model/describe.hpp"
#include "cli/targets.hpp"

namespace bentwood::cli {
namespace {

constexpr std::size_t most_lines = 20;
constexpr std::size_t most_names = 12;
constexpr std::size_t longest_name = 40;
/// What fits a screen.
constexpr std::size_t default_depth = 3;

template <class... Values>
void append(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
}

/// The first names, fit for one line.
std::string listed(const std::vector<std::string>& names) {
  std::vector<std::string> words;
  for (std::size_t index = 0; index < std::min(names.size(), most_names); ++index) {
    words.push_back(printable(names[index], longest_name));
  }
  if (names.size() > most_names) {
    words.push_back(fmt::format("... {} in all", names.size()));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> factor_names(const Forest& forest) {
  std::vector<std::string> names;
  for (const Factor& factor : forest.columns.manifold().signature().factors()) {
    names.push_back(fmt::format("{} {}", names.size() + 1, factor.name()));
  }
  return names;
}

std::vector<std::string> split_names(const Forest& forest) {
  std::vector<std::string> names;
  for (const ColumnFamily family : forest.columns.families()) {
    names.emplace_back(name(family));
  }
  return names;
}

/// Names with their importances, the greatest first.
using Importances = std::vector<std::pair<std::string, double>>;

Importances sorted(const std::vector<std::string>& names, const std::vector<double>& values) {
  Importances result;
  for (std::size_t index = 0; index < values.size(); ++index) {
    result.emplace_back(names[index], values[index]);
  }
  std::ranges::stable_sort(result, std::greater<>(), &Importances::value_type::second);
  return result;
}

/// A bar chart: the longest bar has 40 marks.
void append_bars(std::string& out, Importances importances) {
  constexpr double longest_bar = 40;
  const double largest = importances.empty() ? 0 : importances.front().second;
  std::size_t width = 0;
  for (auto& [name, value] : importances) {
    name = printable(name, longest_name);
    width = std::max(width, name.size());
  }
  const std::size_t n_shown = std::min(importances.size(), most_lines);
  for (std::size_t index = 0; index < n_shown; ++index) {
    const auto& [name, value] = importances[index];
    const double length = largest > 0 ? std::round(longest_bar * value / largest) : 0;
    append(out, "  {:<{}} {:.4f}{}{}\n", name, width, value, length > 0 ? " " : "",
           std::string(static_cast<std::size_t>(length), '#'));
  }
  if (importances.size() > n_shown) {
    append(out, "  ... and {} more\n", importances.size() - n_shown);
  }
}

nlohmann::ordered_json importances_json(const Importances& importances) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& [name, value] : importances) {
    json.push_back({{"name", name}, {"importance", value}});
  }
  return json;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string shown_text(const Forest& forest, const ShownTree& shown) {
  return tree_text(forest, shown.tree, {.max_depth = shown.depth.value_or(default_depth)});
}

std::string_view off_manifold_name(const Forest& forest) {
  return forest.off_manifold == OffManifold::error ? "error" : "project";
}

}  // namespace

std::string bytes_text(std::size_t n_bytes) {
  constexpr double thousand = 1000;
  const auto bytes = static_cast<double>(n_bytes);
  if (bytes < thousand) {
    return fmt::format("{} bytes", n_bytes);
  }
  return bytes < thousand * thousand ? fmt::format("{:.1f} kB", bytes / thousand)
                                     : fmt::format("{:.1f} MB", bytes / (thousand * thousand));
}

ModelSize model_size(const Forest& forest, std::size_t n_bytes) {
  ModelSize size;
  size.n_trees = forest.trees.size();
  size.n_bytes = n_bytes;
  std::size_t sum = 0;
  for (const Tree& tree : forest.trees) {
    size.n_nodes += tree.nodes.size();
    size.n_leaves += n_leaves(tree);
    size.depth = std::max(size.depth, depth(tree));
    sum += depth(tree);
  }
  size.mean_depth = static_cast<double>(sum) / static_cast<double>(size.n_trees);
  return size;
}

std::string size_text(const ModelSize& size) {
  return fmt::format("{}, {}, depth {}, {}", counted(size.n_trees, "tree"),
                     counted(size.n_nodes, "node"), size.depth, bytes_text(size.n_bytes));
}

nlohmann::ordered_json size_json(const ModelSize& size) {
  return {{"trees", size.n_trees}, {"nodes", size.n_nodes},         {"leaves", size.n_leaves},
          {"depth", size.depth},   {"mean_depth", size.mean_depth}, {"bytes", size.n_bytes}};
}

nlohmann::ordered_json parameters_json(const Forest& forest) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : forest.parameters) {
    json[name] = nlohmann::ordered_json::parse(value);
  }
  return json;
}

std::string space_text(const Forest& forest) {
  const Manifold& manifold = forest.columns.manifold();
  std::string out;
  append(out, "  signature    {}\n", manifold.signature().text());
  append(out, "  coordinates  {}\n", name(manifold.coordinates()));
  append(out, "  splits       {}\n", fmt::join(split_names(forest), ", "));
  append(out, "  rows off it  {}\n", off_manifold_name(forest));
  if (!forest.feature_names.empty()) {
    append(out, "  features     {}\n", listed(forest.feature_names));
  }
  return out;
}

std::string growth_text(const Forest& forest, const ModelSize& size) {
  std::string out;
  append(out, "  trees        {}\n", size.n_trees);
  append(out, "  nodes        {}, {} of them leaves\n", size.n_nodes, size.n_leaves);
  append(out, "  depth        {}{}\n", size.depth,
         size.n_trees > 1 ? fmt::format(" at most, {:.1f} on average", size.mean_depth) : "");
  for (std::size_t index = 0; const auto& [name, value] : forest.parameters) {
    append(out, "  {:<12} {} = {}\n", index++ == 0 ? "parameters" : "",
           printable(name, longest_name), printable(value, longest_name));
  }
  return out;
}

std::string importances_text(const Forest& forest) {
  std::string out = "importance of the columns:\n";
  append_bars(out, sorted(column_names(forest), forest.importances));
  if (forest.columns.manifold().signature().factors().size() > 1) {
    out += "importance of the factors:\n";
    append_bars(out, sorted(factor_names(forest), factor_importances(forest)));
  }
  return out;
}

void add_space(nlohmann::ordered_json& json, const Forest& forest) {
  const Manifold& manifold = forest.columns.manifold();
  json["signature"] = manifold.signature().text();
  json["coordinates"] = name(manifold.coordinates());
  json["splits"] = split_names(forest);
  json["off_manifold"] = off_manifold_name(forest);
  json["feature_names"] = forest.feature_names;
}

void add_importances(nlohmann::ordered_json& json, const Forest& forest) {
  json["column_importances"] = importances_json(sorted(column_names(forest), forest.importances));
  json["factor_importances"] =
      importances_json(sorted(factor_names(forest), factor_importances(forest)));
}

std::string shown_tree_text(const Forest& forest, const ShownTree& shown) {
  return fmt::format("tree {} of {}, to depth {}:\n{}", shown.tree, forest.trees.size(),
                     shown.depth.value_or(default_depth), shown_text(forest, shown));
}

void add_shown_tree(nlohmann::ordered_json& json, const Forest& forest, const ShownTree& shown) {
  json["tree"] = {{"number", shown.tree}, {"text", shown_text(forest, shown)}};
}

std::string model_text(const std::string& source, const Forest& forest, std::size_t n_bytes,
                       const ShownTree& shown) {
  const ModelSize size = model_size(forest, n_bytes);
  std::string out = fmt::format("{}: {}, {}\n", source, printable(forest.estimator, longest_name),
                                bytes_text(n_bytes));
  append(out, "  task         {}\n", name(forest.task));
  out += space_text(forest);
  if (forest.task == Task::classification) {
    append(out, "  classes      {}\n", listed(label_texts(forest.classes)));
  } else if (!forest.output_names.empty()) {
    append(out, "  outputs      {}\n", listed(forest.output_names));
  }
  return out + growth_text(forest, size) + importances_text(forest) +
         shown_tree_text(forest, shown);
}

nlohmann::ordered_json model_json(const std::string& source, const Forest& forest,
                                  std::size_t n_bytes, const ShownTree& shown) {
  nlohmann::ordered_json json{
      {"source", source}, {"estimator", forest.estimator}, {"task", name(forest.task)}};
  add_space(json, forest);
  json["output_names"] = forest.output_names;
  std::visit([&](const auto& classes) { json["classes"] = classes; }, forest.classes);
  json["size"] = size_json(model_size(forest, n_bytes));
  json["parameters"] = parameters_json(forest);
  add_importances(json, forest);
  add_shown_tree(json, forest, shown);
  return json;
}

}  // namespace bentwood::cli
