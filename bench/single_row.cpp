// How long one row takes in C++: microseconds for a row that was predicted just before, and for a new row every time.
//
//     single_row MODEL.bent POINTS.npy
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <variant>
#include <vector>

#include "bentwood/data/file.hpp"
#include "bentwood/data/npy.hpp"
#include "bentwood/infer/engine.hpp"
#include "bentwood/model/file.hpp"

namespace {

using namespace bentwood;

/// The median over rounds of the time of a call that does `n_rows` rows, in microseconds a row.
template <class Work>
double microseconds_a_row(std::size_t n_rows, Work work) {
  constexpr std::size_t n_rounds = 21;
  std::vector<double> times;
  for (std::size_t round = 0; round < n_rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    times.push_back(time.count() / static_cast<double>(n_rows));
  }
  std::ranges::nth_element(times, times.begin() + n_rounds / 2);
  return times[n_rounds / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: single_row MODEL.bent POINTS.npy\n");
    return 2;
  }
  const Predictor predictor(load(argv[1]));
  const Forest& forest = predictor.forest();
  const Bytes bytes = read_file(argv[2]);
  const NpyArray array = parse_npy(bytes.view(), argv[2]);
  const MatrixView points(std::get<std::vector<double>>(array.values).data(), array.n_rows(),
                          array.n_cols());
  const Matrix columns = inputs(forest.columns, forest.off_manifold, points).columns;
  std::vector<double> out(forest.width());
  const std::size_t n_rows = columns.n_rows();
  const double again = microseconds_a_row(n_rows, [&] {
    for (std::size_t row = 0; row < n_rows; ++row) {
      predictor.predict_row(columns.row(0), out);
    }
  });
  const double anew = microseconds_a_row(n_rows, [&] {
    for (std::size_t row = 0; row < n_rows; ++row) {
      predictor.predict_row(columns.row(row), out);
    }
  });
  fmt::print(R"({{"again": {}, "new": {}}})"
             "\n",
             again, anew);
  return 0;
}
