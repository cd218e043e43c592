#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bentwood/linear/row_correlation.hpp"

namespace bentwood {

/// Which perceptron.
struct PerceptronKind {
  bool second_order = false;
  /// a of the second order, at least 0.
  double regularization = 1;
};

/// A perceptron on rows of features, one row at a time: it keeps a vector w, guesses the sign of w·z for a row z, and learns from its
/// mistakes, of which a guess of 0 is one.
///
/// First order: w += y z on a mistake. O(d) a row. On the weighted features z = η v of features.hpp this is Chien, Pan, Tabaghi,
/// Milenkovic, "Highly scalable and provably accurate classification in Poincaré balls", ICDM 2021, Algorithm 1.
///
/// Second order: w = (aI + S Sᵀ)⁻¹ ξ, where S has the rows of all mistakes as columns and ξ is the sum of their y z (Cesa-Bianchi, Conconi,
/// Gentile, "A second-order perceptron algorithm", SIAM J. Comput. 34, 2005; Chien et al., section III-B). They let S have the row that is
/// guessed, too; that divides w·z by 1 + zᵀA⁻¹z, so the guess is the same, but for a = 0 and a row outside of the span of S, where it is
/// 0: a mistake. O(d) a row, O(d²) a mistake.
///
/// A row of zeros, a point at the reference point, is on every boundary and teaches nothing: it is passed over.
class Perceptron {
 public:
  Perceptron(std::size_t n_features, PerceptronKind kind);
  /// Goes on from `memory()`. Throws InvalidInput where it is of another kind, FormatError where it is damaged.
  Perceptron(std::size_t n_features, PerceptronKind kind, std::span<const double> memory);

  /// Guesses, and learns where that is wrong. `sign` is ±1. Returns whether it was.
  bool see(std::span<const double> row, double sign);

  [[nodiscard]] std::span<const double> weights() const { return weights_; }
  /// The mean of w over all rows seen, after each of them (Freund, Schapire, "Large margin classification using the perceptron
  /// algorithm", 1999).
  [[nodiscard]] std::vector<double> average() const;
  [[nodiscard]] std::uint64_t n_seen() const { return n_seen_; }
  /// Mistakes, each of which changed w.
  [[nodiscard]] std::uint64_t n_updates() const { return n_updates_; }
  /// None of the first order.
  [[nodiscard]] const std::optional<RowCorrelation>& correlation() const { return correlation_; }

  /// All that it must know to go on.
  [[nodiscard]] std::vector<double> memory() const;

 private:
  [[nodiscard]] bool is_mistake(std::span<const double> row, double sign) const;

  PerceptronKind kind_;
  std::vector<double> weights_;
  std::vector<double>
      sum_;  ///< of w over rows, but for the last `n_kept_` of them, which saw the w of now
  std::vector<double> target_;  ///< ξ
  std::optional<RowCorrelation> correlation_;
  std::uint64_t n_seen_ = 0;
  std::uint64_t n_updates_ = 0;
  std::uint64_t n_kept_ = 0;
};

}  // namespace bentwood
