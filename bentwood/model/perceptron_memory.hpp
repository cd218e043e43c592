#pragma once

#include <cstddef>
#include <span>

namespace bentwood {

/// What a perceptron of so many features must know to learn on (LinearClassifier::memory; docs/model-file.md says what stands where).
struct PerceptronMemory {
  /// Numbers before the vectors: second order or not, its regularization a, and the counts of rows seen, of mistakes and of rows since the
  /// last one.
  static constexpr std::size_t n_leading = 5;
  static constexpr double most_regularization = 1e100;
  /// To which doubles count exactly.
  static constexpr double most_rows = 9007199254740992;

  /// The numbers of the matrix aI + S Sᵀ: its rank, a triangle, and for a = 0 a basis.
  [[nodiscard]] static std::size_t n_matrix_numbers(std::size_t n_features, double regularization);
  /// All numbers. Of the first order the regularization does not count.
  [[nodiscard]] static std::size_t size(std::size_t n_features, bool second_order,
                                        double regularization);
};

/// Throws FormatError unless the numbers are such a memory: as many as there must be, counts that are counts, a rank that a matrix can have.
void check_perceptron_memory(std::span<const double> memory, std::size_t n_features);

}  // namespace bentwood
