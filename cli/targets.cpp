#include "cli/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/describe.hpp"

namespace bentwood::cli {
namespace {

// Whole numbers up to here are told apart by doubles.
constexpr double largest_whole = 9007199254740992;

[[noreturn]] void fail(const PointsFile& file, std::size_t row, const std::string& found) {
  throw InvalidInput(fmt::format("{}, column {}: {}, expected a label", file.table.place(row),
                                 shown(file.dataset.label->name), found));
}

const std::vector<double>& numbers_of(const TableColumn& column) {
  return std::get<std::vector<double>>(column.values);
}

bool is_whole(double value) {
  return std::trunc(value) == value && std::abs(value) <= largest_whole;
}

/// Every row's place among the sorted different values.
template <class Value>
std::vector<Value> classes_of(const std::vector<Value>& values,
                              std::vector<std::uint32_t>& classes) {
  std::vector<Value> distinct = values;
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  classes.reserve(values.size());
  for (const Value& value : values) {
    classes.push_back(
        static_cast<std::uint32_t>(std::ranges::lower_bound(distinct, value) - distinct.begin()));
  }
  return distinct;
}

Labels number_classes(const PointsFile& file, const std::vector<double>& values,
                      std::vector<std::uint32_t>& classes) {
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (!std::isfinite(values[row])) {
      fail(file, row, fmt::format("found {}", values[row]));
    }
  }
  if (std::ranges::all_of(values, is_whole)) {
    std::vector<std::int64_t> whole;
    whole.reserve(values.size());
    for (const double value : values) {
      whole.push_back(static_cast<std::int64_t>(value));
    }
    return classes_of(whole, classes);
  }
  return classes_of(values, classes);
}

Labels text_classes(const PointsFile& file, const std::vector<std::string>& values,
                    std::vector<std::uint32_t>& classes) {
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values[row].empty()) {
      fail(file, row, "the field is empty");
    }
  }
  return classes_of(values, classes);
}

/// The names of some classes, fit for one line.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most_names = 8;
  std::string out;
  for (std::size_t index = 0; index < std::min(names.size(), most_names); ++index) {
    out += fmt::format("{}{}", index == 0 ? "" : ", ", shown(names[index]));
  }
  return names.size() > most_names ? out + ", ..." : out;
}

}  // namespace

Task guess_task(const TableColumn& label) {
  if (!label.is_numeric()) {
    return Task::classification;
  }
  std::set<double> distinct;
  for (const double value : numbers_of(label)) {
    distinct.insert(value);
    if (!is_whole(value) || distinct.size() > most_guessed_classes) {
      return Task::regression;
    }
  }
  return Task::classification;
}

std::string_view name(Task task) {
  return task == Task::classification ? "classification" : "regression";
}

Matrix label_numbers(const PointsFile& file) {
  const std::span<const double> values = file.table.numbers(file.dataset.label->name);
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (!std::isfinite(values[row])) {
      fail(file, row, fmt::format("found {}", values[row]));
    }
  }
  return {values.size(), 1, {values.begin(), values.end()}};
}

LabelledTarget make_target(const PointsFile& file, Task task) {
  LabelledTarget result;
  Target& target = result.target;
  target.task = task;
  target.weights = file.dataset.weights;
  if (task == Task::regression) {
    target.width = 1;
    target.outputs = label_numbers(file);
    return result;
  }
  const TableColumn& label = *file.dataset.label;
  result.classes =
      label.is_numeric()
          ? number_classes(file, numbers_of(label), target.classes)
          : text_classes(file, std::get<std::vector<std::string>>(label.values), target.classes);
  target.width = std::visit([](const auto& list) { return list.size(); }, result.classes);
  return result;
}

void warn_of_many_classes(const PointsFile& file, const LabelledTarget& labelled,
                          const Session& session) {
  const TableColumn& label = *file.dataset.label;
  const std::string doubt =
      doubt_of_classes(labelled.target.width, labelled.target.n_rows(),
                       fmt::format("{}: the label {}", file.table.source(), shown(label.name)),
                       label.is_numeric() ? "--task regression" : "");
  if (!doubt.empty()) {
    warn(session, doubt);
  }
}

KnownRows known_rows(const PointsFile& file, const Labels& classes, UnknownLabels unknown) {
  const std::vector<std::string> names = label_texts(classes);
  const bool numeric = !std::holds_alternative<std::vector<std::string>>(classes);
  std::map<std::string, std::int64_t> numbers;
  for (std::size_t label = 0; label < names.size(); ++label) {
    numbers.emplace(names[label], static_cast<std::int64_t>(label));
  }
  KnownRows known;
  std::size_t n_unknown = 0;
  std::size_t first_unknown = 0;
  const std::vector<std::string> labels = file.table.text(file.dataset.label->name);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    double value = 0;
    // "2.0" beside a label that is no number is the class 2 all the same.
    const bool rewrite = numeric && !numbers.contains(labels[row]) &&
                         parse_number(labels[row], value) == NumberKind::number;
    const auto found = numbers.find(rewrite ? number_text(value) : labels[row]);
    if (found == numbers.end()) {
      first_unknown = n_unknown++ == 0 ? row : first_unknown;
    } else {
      known.rows.push_back(row);
      known.classes.push_back(found->second);
    }
  }
  if (n_unknown > 0 && (unknown == UnknownLabels::error || known.rows.empty())) {
    throw InvalidInput(fmt::format(
        "{}, column {}: label {} is none of the model's classes ({}); {} row{} like this{}",
        file.table.place(first_unknown), shown(file.dataset.label->name),
        shown(labels[first_unknown]), listed(names), n_unknown, n_unknown == 1 ? " is" : "s are",
        known.rows.empty() ? "" : "; pass --unknown-labels skip to leave them out"));
  }
  return known;
}

}  // namespace bentwood::cli
