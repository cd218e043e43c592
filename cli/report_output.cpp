#include <fmt/format.h>

#include <iterator>

#include "bentwood/data/text.hpp"
#include "cli/report.hpp"

namespace bentwood::cli {
namespace {

// A file of a thousand columns or labels is described, not printed.
constexpr std::size_t most_lines = 20;
constexpr std::size_t longest_name = 40;

template <class... Values>
void append(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void append_more(std::string& out, std::size_t n_left) {
  if (n_left > 0) {
    append(out, "  ... and {} more\n", n_left);
  }
}

void append_columns(std::string& out, const std::vector<ColumnFacts>& columns) {
  const std::size_t n_shown = std::min(columns.size(), most_lines);
  for (std::size_t index = 0; index < n_shown; ++index) {
    const ColumnFacts& column = columns[index];
    append(out, "  {:<12} ", printable(column.name, longest_name));
    if (!column.numeric) {
      out += "text";
    } else if (column.smallest <= column.largest) {
      append(out, "numbers from {:.6g} to {:.6g}", column.smallest, column.largest);
    } else {
      out += "numbers, none finite";
    }
    if (column.n_not_finite > 0) {
      append(out, "; {} not finite", counted(column.n_not_finite, "value"));
    }
    out += '\n';
  }
  append_more(out, columns.size() - n_shown);
}

void append_labels(std::string& out, const LabelFacts& label, std::size_t n_rows) {
  append(out, "labels in \"{}\": {} {}\n", printable(label.column, longest_name),
         label.counts.size(), label.counts.size() == 1 ? "class" : "classes");
  const std::size_t n_shown = std::min(label.counts.size(), most_lines);
  for (std::size_t index = 0; index < n_shown; ++index) {
    const auto& [name, count] = label.counts[index];
    append(out, "  {:<12} {} ({:.1f} %)\n", printable(name, longest_name), count,
           100.0 * static_cast<double>(count) / static_cast<double>(n_rows));
  }
  append_more(out, label.counts.size() - n_shown);
}

void append_manifold(std::string& out, const ManifoldFacts& facts, std::size_t n_rows) {
  append(out, "{} in {} coordinates: {} of {} rows on the manifold\n", facts.signature,
         name(facts.coordinates), facts.n_on, n_rows);
  if (!facts.problem.empty()) {
    append(out, "  {}\n", facts.problem);
  }
  append(out, "distance from the origin:\n  {:<12} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "factor",
         "least", "25 %", "median", "75 %", "95 %", "most");
  for (const FactorFacts& factor : facts.factors) {
    append(out, "  {:<12}", factor.name);
    for (const double radius : factor.radii) {
      append(out, " {:>9.4g}", radius);
    }
    out += factor.radii.empty() ? " no row on the manifold\n" : "\n";
  }
  if (!facts.warning.empty()) {
    append(out, "warning: {}\n", facts.warning);
  }
}

nlohmann::ordered_json manifold_json(const ManifoldFacts& facts) {
  nlohmann::ordered_json json{{"signature", facts.signature},
                              {"coordinates", name(facts.coordinates)},
                              {"rows_on_manifold", facts.n_on},
                              {"problem", nullptr},
                              {"warning", nullptr},
                              {"factors", nlohmann::ordered_json::array()}};
  if (!facts.problem.empty()) {
    json["problem"] = facts.problem;
  }
  if (!facts.warning.empty()) {
    json["warning"] = facts.warning;
  }
  for (const FactorFacts& factor : facts.factors) {
    const FactorMembership& membership = factor.membership;
    nlohmann::ordered_json radii = nullptr;
    if (!factor.radii.empty()) {
      radii = {{"min", factor.radii[0]}, {"q25", factor.radii[1]}, {"median", factor.radii[2]},
               {"q75", factor.radii[3]}, {"q95", factor.radii[4]}, {"max", factor.radii[5]}};
    }
    json["factors"].push_back({{"name", factor.name},
                               {"rows_off", membership.n_off},
                               {"rows_beyond_repair", membership.n_hopeless},
                               {"rows_imprecise", membership.n_imprecise},
                               {"largest_residual", membership.worst_residual},
                               {"radius", std::move(radii)}});
  }
  return json;
}

}  // namespace

std::string report_text(const Report& report) {
  std::string out = fmt::format("{}: {}, {}\n", report.source, counted(report.n_rows, "row"),
                                counted(report.columns.size(), "column"));
  append_columns(out, report.columns);
  if (report.label) {
    append_labels(out, *report.label, report.n_rows);
  }
  if (report.manifold) {
    append_manifold(out, *report.manifold, report.n_rows);
  }
  for (const Guess& guess : report.guesses) {
    append(out,
           "all rows fit {} in {} coordinates; check with --signature \"{}\" --coordinates {}\n",
           guess.signature, name(guess.coordinates), guess.signature, name(guess.coordinates));
  }
  return out;
}

nlohmann::ordered_json report_json(const Report& report) {
  nlohmann::ordered_json json{{"source", report.source},
                              {"rows", report.n_rows},
                              {"columns", nlohmann::ordered_json::array()},
                              {"label", nullptr},
                              {"manifold", nullptr},
                              {"fits", nlohmann::ordered_json::array()}};
  for (const ColumnFacts& column : report.columns) {
    nlohmann::ordered_json facts{{"name", column.name},
                                 {"type", column.numeric ? "number" : "text"}};
    if (column.numeric) {
      // Infinite where no value is finite, which JSON writes as null.
      facts["min"] = column.smallest;
      facts["max"] = column.largest;
      facts["not_finite"] = column.n_not_finite;
    }
    json["columns"].push_back(std::move(facts));
  }
  if (report.label) {
    nlohmann::ordered_json counts = nlohmann::ordered_json::object();
    for (const auto& [label, count] : report.label->counts) {
      counts[label] = count;
    }
    json["label"] = {{"column", report.label->column}, {"counts", std::move(counts)}};
  }
  if (report.manifold) {
    json["manifold"] = manifold_json(*report.manifold);
  }
  for (const Guess& guess : report.guesses) {
    json["fits"].push_back(
        {{"signature", guess.signature}, {"coordinates", name(guess.coordinates)}});
  }
  return json;
}

}  // namespace bentwood::cli
