#include "bentwood/model/perceptron_memory.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bentwood/base/error.hpp"

namespace bentwood {

std::size_t PerceptronMemory::n_matrix_numbers(std::size_t n_features, double regularization) {
  return 1 + n_features * (n_features + 1) / 2 + (regularization > 0 ? 0 : n_features * n_features);
}

std::size_t PerceptronMemory::size(std::size_t n_features, bool second_order,
                                   double regularization) {
  return n_leading + 2 * n_features +
         (second_order ? n_features + n_matrix_numbers(n_features, regularization) : 0);
}

void check_perceptron_memory(std::span<const double> memory, std::size_t n_features) {
  using Memory = PerceptronMemory;
  const auto damaged = [](const std::string& problem) {
    throw FormatError("the model's memory is damaged: " + problem);
  };
  if (memory.size() < Memory::n_leading || (memory[0] != 0 && memory[0] != 1)) {
    damaged("it is of no perceptron");
  }
  const bool second_order = memory[0] == 1;
  const double regularization = memory[1];
  if (!(regularization >= 0 && regularization <= Memory::most_regularization)) {
    damaged(fmt::format("its regularization is {}", regularization));
  }
  if (memory.size() != Memory::size(n_features, second_order, regularization)) {
    damaged(fmt::format("{} numbers, expected {}", memory.size(),
                        Memory::size(n_features, second_order, regularization)));
  }
  for (const double count : memory.subspan(2, 3)) {
    if (!(count >= 0 && count <= Memory::most_rows) || count != std::floor(count)) {
      damaged(fmt::format("a count of rows is {}", count));
    }
  }
  if (second_order) {
    const double rank = memory[Memory::n_leading + 3 * n_features];
    const auto full = static_cast<double>(n_features);
    if (!(rank >= 0 && rank <= full) || rank != std::floor(rank) ||
        (regularization > 0 && rank != full)) {
      damaged("its rank is none of a matrix");
    }
  }
}

}  // namespace bentwood
