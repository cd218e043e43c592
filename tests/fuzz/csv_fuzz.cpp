#include "bentwood/data/csv.hpp"

#include <algorithm>
#include <bit>

#include "fuzz.hpp"

namespace bentwood {
namespace {

bool same_values(const TableColumn& left, const TableColumn& right) {
  if (left.is_numeric() != right.is_numeric() || !left.is_numeric()) {
    return left.values == right.values;
  }
  const auto same = [](double x, double y) { return x == y || (x != x && y != y); };
  return std::ranges::equal(std::get<0>(left.values), std::get<0>(right.values), same);
}

void require_same(const Table& left, const Table& right) {
  require(left.names() == right.names());
  for (std::size_t col = 0; col < left.n_cols(); ++col) {
    require(same_values(left.columns()[col], right.columns()[col]));
  }
}

}  // namespace
}  // namespace bentwood

// Besides not crashing: small blocks give the same table or the same message, and what is written
// reads back the same. One of the two for an input, which makes for more inputs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bentwood;
  const ThreadLimit serial(1);
  const std::string_view bytes = as_text(data, size);
  static const std::string source = "a.csv";
  Table whole;
  const std::string message = read_or_refuse([&] { whole = parse_csv(bytes, source); });
  if (size % 2 == 0) {
    CsvOptions blocks;
    blocks.block_size = 5 + size % 16;
    Table pieces;
    require(read_or_refuse([&] { pieces = parse_csv(bytes, source, blocks); }) == message);
    require_same(whole, pieces);
  } else if (message.empty()) {
    std::string written;
    for (const std::string& piece : format_csv(whole)) {
      written += piece;
    }
    CsvOptions commas;
    commas.delimiter = ',';
    require_same(parse_csv(written, source, commas), whole);
  }
  return 0;
}
