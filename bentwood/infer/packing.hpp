#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/packed_forest.hpp"

namespace bentwood {

/// The packed form of a forest, made when it pays. One thread makes it; those that come meanwhile walk plainly.
class Predictor::Packing {
 public:
  explicit Packing(const Forest& forest);

  /// The packed forest for a question about so many rows, or null where they should walk plainly: because few rows have been asked about so far, or
  /// because the forest cannot be packed.
  const PackedForest* for_rows(const Forest& forest, std::size_t n_rows);
  /// The same, packed now if ever.
  const PackedForest* now(const Forest& forest);

 private:
  /// Rows from which on packing costs less than it saves.
  std::size_t n_rows_to_pay_;
  std::atomic<std::size_t> n_rows_ = 0;
  std::mutex mutex_;
  std::unique_ptr<const PackedForest> owned_;
  std::atomic<const PackedForest*> packed_ = nullptr;
};

}  // namespace bentwood
