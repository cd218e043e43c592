#include "bentwood/data/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

std::string prefix(const std::string& source) { return source.empty() ? "" : source + ": "; }

// A table may have thousands of columns; a message should not.
std::string listed(const std::vector<TableColumn>& columns) {
  constexpr std::size_t most = 12;
  std::string result;
  for (std::size_t col = 0; col < std::min(columns.size(), most); ++col) {
    result += (col == 0 ? "" : ", ") + shown(columns[col].name);
  }
  if (columns.size() > most) {
    result += fmt::format(" and {} more", columns.size() - most);
  }
  return result;
}

}  // namespace

std::size_t TableColumn::size() const {
  return std::visit([](const auto& list) { return list.size(); }, values);
}

Table::Table(std::vector<TableColumn> columns, std::string source)
    : columns_(std::move(columns)), source_(std::move(source)) {
  places_.reserve(columns_.size());
  for (std::size_t col = 0; col < columns_.size(); ++col) {
    const TableColumn& column = columns_[col];
    if (!places_.emplace(column.name, col).second) {
      throw InvalidInput(
          fmt::format("{}two columns are named {}", prefix(source_), shown(column.name)));
    }
    if (column.size() != n_rows()) {
      throw InvalidInput(fmt::format("{}column {} has {} rows, expected {} as in column {}",
                                     prefix(source_), shown(column.name), column.size(), n_rows(),
                                     shown(columns_.front().name)));
    }
  }
}

void Table::add(TableColumn column) {
  if (has(column.name)) {
    throw InvalidInput(
        fmt::format("{}there is a column named {} already", prefix(source_), shown(column.name)));
  }
  if (!columns_.empty() && column.size() != n_rows()) {
    throw InvalidInput(fmt::format("{}column {} has {} rows, expected {}", prefix(source_),
                                   shown(column.name), column.size(), n_rows()));
  }
  places_.emplace(column.name, columns_.size());
  columns_.push_back(std::move(column));
}

std::size_t Table::n_rows() const { return columns_.empty() ? 0 : columns_.front().size(); }

std::vector<std::string> Table::names() const {
  std::vector<std::string> result;
  result.reserve(columns_.size());
  for (const TableColumn& column : columns_) {
    result.push_back(column.name);
  }
  return result;
}

bool Table::has(std::string_view name) const { return places_.contains(name); }

const TableColumn& Table::column(std::string_view name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) {
    throw InvalidInput(fmt::format("{}no column {}, found {}", prefix(source_), shown(name),
                                   columns_.empty() ? "no columns at all" : listed(columns_)));
  }
  return columns_[found->second];
}

std::span<const double> Table::numbers(std::string_view name) const {
  const TableColumn& found = column(name);
  if (const auto* const values = std::get_if<std::vector<double>>(&found.values)) {
    return *values;
  }
  const NotANumber& first = found.not_a_number;
  throw FormatError(
      fmt::format("{}: column {} holds {}{}, expected a number", place(first.row), shown(name),
                  first.field.empty() ? "nothing" : shown(first.field),
                  looks_like_integer(first.field) ? ", which float64 would round" : ""));
}

std::vector<std::string> Table::text(std::string_view name) const {
  const TableColumn& found = column(name);
  if (const auto* const fields = std::get_if<std::vector<std::string>>(&found.values)) {
    return *fields;
  }
  std::vector<std::string> result;
  result.reserve(found.size());
  for (const double value : std::get<std::vector<double>>(found.values)) {
    result.push_back(number_text(value));
  }
  return result;
}

Matrix Table::matrix(std::span<const std::string> names) const {
  std::vector<std::span<const double>> sources;
  sources.reserve(names.size());
  for (const std::string& name : names) {
    sources.push_back(numbers(name));
  }
  Matrix result = Matrix::uninitialized(n_rows(), names.size());
  constexpr std::size_t block_size = 4096;
  parallel_blocks(n_rows(), block_size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      double* const out = result.data() + row * names.size();
      for (std::size_t col = 0; col < sources.size(); ++col) {
        out[col] = sources[col][row];
      }
    }
  });
  return result;
}

std::string Table::place(std::size_t row) const {
  if (source_.empty()) {
    return fmt::format("row {}", row);
  }
  if (!lines_.empty()) {
    return fmt::format("{}:{}", source_, lines_.at(row));
  }
  if (first_line_ != 0) {
    return fmt::format("{}:{}", source_, first_line_ + row);
  }
  return fmt::format("{}, row {}", source_, row);
}

}  // namespace bentwood
