#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "bentwood/base/memory.hpp"

namespace bentwood {

/// A view of a dense row-major matrix that somebody else owns; rows are contiguous spans.
template <class T>
class BasicMatrixView {
 public:
  BasicMatrixView() = default;
  BasicMatrixView(T* data, std::size_t n_rows, std::size_t n_cols)
      : data_(data), n_rows_(n_rows), n_cols_(n_cols) {}

  /// A writable view serves wherever a read-only one is asked for.
  template <class U>
    requires std::same_as<T, const U>
  BasicMatrixView(BasicMatrixView<U> other)  // NOLINT(google-explicit-constructor)
      : data_(other.data()), n_rows_(other.n_rows()), n_cols_(other.n_cols()) {}

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_cols() const { return n_cols_; }

  [[nodiscard]] std::span<T> row(std::size_t row) const {
    assert(row < n_rows_);
    return {data_ + row * n_cols_, n_cols_};
  }
  [[nodiscard]] T& operator()(std::size_t row, std::size_t col) const {
    assert(row < n_rows_ && col < n_cols_);
    return data_[row * n_cols_ + col];
  }

 private:
  T* data_ = nullptr;
  std::size_t n_rows_ = 0;
  std::size_t n_cols_ = 0;
};

using MatrixView = BasicMatrixView<const double>;
using MutableMatrixView = BasicMatrixView<double>;

/// An allocator for vectors of numbers that are about to be overwritten: it writes no zeros, and takes
/// its memory from allocate_numbers.
template <class T>
struct NumberAllocator {
  using value_type = T;
  NumberAllocator() = default;
  template <class U>
  NumberAllocator(const NumberAllocator<U>& /*other*/) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T*>(allocate_numbers(n * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t n) noexcept { free_numbers(memory, n * sizeof(T)); }

  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0) {
      ::new (static_cast<void*>(place)) U;
    } else {
      ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
    }
  }
  friend bool operator==(NumberAllocator, NumberAllocator) { return true; }
};

/// A dense row-major matrix that owns its numbers.
class Matrix {
 public:
  Matrix() = default;
  /// All zero.
  Matrix(std::size_t n_rows, std::size_t n_cols)
      : values_(size(n_rows, n_cols), 0.0), n_rows_(n_rows), n_cols_(n_cols) {}
  Matrix(std::size_t n_rows, std::size_t n_cols, const std::vector<double>& values)
      : values_(values.begin(), values.end()), n_rows_(n_rows), n_cols_(n_cols) {
    assert(values_.size() == n_rows * n_cols);
  }
  /// For whoever writes every number before reading any.
  [[nodiscard]] static Matrix uninitialized(std::size_t n_rows, std::size_t n_cols) {
    Matrix result;
    result.values_.resize(size(n_rows, n_cols));
    result.n_rows_ = n_rows;
    result.n_cols_ = n_cols;
    return result;
  }

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_cols() const { return n_cols_; }
  [[nodiscard]] const double* data() const { return values_.data(); }
  [[nodiscard]] double* data() { return values_.data(); }
  [[nodiscard]] std::span<const double> row(std::size_t row) const { return view().row(row); }
  [[nodiscard]] std::span<double> row(std::size_t row) { return view().row(row); }
  [[nodiscard]] double operator()(std::size_t row, std::size_t col) const {
    return view()(row, col);
  }
  [[nodiscard]] double& operator()(std::size_t row, std::size_t col) { return view()(row, col); }

  [[nodiscard]] MatrixView view() const { return {values_.data(), n_rows_, n_cols_}; }
  [[nodiscard]] MutableMatrixView view() { return {values_.data(), n_rows_, n_cols_}; }
  operator MatrixView() const { return view(); }  // NOLINT(google-explicit-constructor)

 private:
  /// n_rows · n_cols, or std::bad_alloc where no memory can be that large.
  static std::size_t size(std::size_t n_rows, std::size_t n_cols) {
    constexpr std::size_t largest = static_cast<std::size_t>(-1) / sizeof(double) / 2;
    if (n_cols != 0 && n_rows > largest / n_cols) {
      throw std::bad_alloc();
    }
    return n_rows * n_cols;
  }

  std::vector<double, NumberAllocator<double>> values_;
  std::size_t n_rows_ = 0;
  std::size_t n_cols_ = 0;
};

}  // namespace bentwood
