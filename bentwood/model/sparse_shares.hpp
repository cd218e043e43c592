#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bentwood {

/// Rows of shares of which most are 0: only the others are kept, each with its class, the classes of a row ascending.
struct SparseShares {
  /// Where each row begins in the other two, and where the last one ends; empty where there are no such rows.
  std::vector<std::uint64_t> begins{};
  std::vector<std::uint32_t> classes{};
  std::vector<double> shares{};

  [[nodiscard]] std::size_t n_rows() const { return begins.empty() ? 0 : begins.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> classes_of(std::size_t row) const {
    return std::span(classes).subspan(begins[row], begins[row + 1] - begins[row]);
  }
  [[nodiscard]] std::span<const double> shares_of(std::size_t row) const {
    return std::span(shares).subspan(begins[row], begins[row + 1] - begins[row]);
  }

  /// Adds to the row that end_row ends.
  void add(std::uint32_t label, double share) {
    classes.push_back(label);
    shares.push_back(share);
  }
  void end_row() { begins.push_back(shares.size()); }
  /// Adds all rows of another.
  void append(const SparseShares& other);

  friend bool operator==(const SparseShares&, const SparseShares&) = default;
};

}  // namespace bentwood
