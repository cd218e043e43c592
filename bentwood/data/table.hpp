#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/membership.hpp"

namespace bentwood {

/// No reader makes a table of more columns: a file that seems to have them is read with the wrong delimiter, or hostile.
inline constexpr std::size_t most_columns = 1'000'000;

/// Where a text column stopped being numeric, for the error of whoever wanted numbers.
struct NotANumber {
  std::size_t row = 0;
  std::string field;

  friend bool operator==(const NotANumber&, const NotANumber&) = default;
};

/// One named column: numbers, or text where any field is not a number.
struct TableColumn {
  std::string name;
  std::variant<std::vector<double>, std::vector<std::string>> values;
  /// The first field that is not a number; meaningful for text columns.
  NotANumber not_a_number;

  [[nodiscard]] bool is_numeric() const { return values.index() == 0; }
  [[nodiscard]] std::size_t size() const;
};

/// Named columns of equal length, and the file they came from so that errors can name the place.
class Table {
 public:
  Table() = default;
  /// Throws InvalidInput where the columns differ in length or two have one name.
  explicit Table(std::vector<TableColumn> columns, std::string source = "");

  [[nodiscard]] std::size_t n_rows() const;
  [[nodiscard]] std::size_t n_cols() const { return columns_.size(); }
  [[nodiscard]] const std::vector<TableColumn>& columns() const { return columns_; }
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] std::vector<std::string> names() const;

  /// The column of this name. Throws InvalidInput that lists the names there are.
  [[nodiscard]] const TableColumn& column(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const;
  /// The numbers of a column. Throws FormatError naming file, line, column and field where one is
  /// not a number.
  [[nodiscard]] std::span<const double> numbers(std::string_view name) const;
  /// The fields of a column as text; numbers in their shortest form that reads back the same.
  [[nodiscard]] std::vector<std::string> text(std::string_view name) const;
  /// The named columns as the columns of a matrix, in that order.
  [[nodiscard]] Matrix matrix(std::span<const std::string> names) const;

  /// Where a row is, for messages: "points.csv:17" for a line of a text file, "points.npy, row 17"
  /// for other files, "row 17" without a source. Lines count from 1, rows from 0 as in NumPy.
  [[nodiscard]] std::string place(std::size_t row) const;
  /// The line of each row in a text file, counted from 1.
  void set_lines(std::vector<std::size_t> lines) { lines_ = std::move(lines); }
  /// The same for a file with one line a row: the line of row 0.
  void set_first_line(std::size_t line) { first_line_ = line; }

  /// The type the numbers were stored in, which decides what rounding can explain.
  [[nodiscard]] Precision precision() const { return precision_; }
  void set_precision(Precision precision) { precision_ = precision; }

  /// Gives the columns away, for whoever keeps them elsewhere.
  [[nodiscard]] std::vector<TableColumn> release() && { return std::move(columns_); }

  /// Appends a column. Throws InvalidInput for another length or a name there is already.
  void add(TableColumn column);

 private:
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>{}(name);
    }
  };

  std::vector<TableColumn> columns_;
  std::unordered_map<std::string, std::size_t, NameHash, std::equal_to<>> places_;
  std::string source_;
  std::vector<std::size_t> lines_;
  std::size_t first_line_ = 0;
  Precision precision_ = Precision::float64;
};

}  // namespace bentwood
