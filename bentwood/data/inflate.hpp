#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "bentwood/data/file.hpp"

// zlib's, which users of this header need not have.
struct z_stream_s;  // NOLINT(readability-identifier-naming): zlib has named it

namespace bentwood {

/// Decompresses deflate data a piece at a time.
class Inflater {
 public:
  enum class Wrapper : std::uint8_t { none, gzip };
  explicit Inflater(Wrapper wrapper);

  enum class State : std::uint8_t { goes_on, at_end, damaged };
  struct Step {
    std::size_t n_taken = 0;
    std::size_t n_made = 0;
    State state = State::goes_on;
    /// Whether there may be more to make of what was taken.
    bool filled = false;
  };
  /// Takes bytes of `packed` and puts what they say into `space`, as far as both go, but no more than some
  /// milliseconds of it.
  [[nodiscard]] Step step(std::string_view packed, std::span<char> space);
  /// Begins anew, after the end of one member of a gzip file.
  void restart();

 private:
  std::unique_ptr<z_stream_s, void (*)(z_stream_s*)> stream_;
};

/// Decompresses a gzip file, one or more members, that comes in pieces.
class Gunzip {
 public:
  /// `n_packed` is the length of the file, 0 where nobody knows it; `source` is what messages call it.
  Gunzip(std::string source, std::size_t n_packed)
      : source_(std::move(source)), n_packed_(n_packed) {}

  /// Appends what the next piece says. Throws FormatError for damage, for bytes that follow the last member, and
  /// where the contents are more than most_expanded() of what has come or is known to come.
  void take(std::string_view packed, Bytes& out);
  /// Throws FormatError where the last piece was not the end.
  void finish() const;

 private:
  std::string source_;
  std::size_t n_packed_;
  std::size_t n_taken_ = 0;
  bool between_members_ = false;
  Inflater inflater_{Inflater::Wrapper::gzip};
};

/// How much a compressed input of `n_packed` bytes may become: 256 times as much, and 64 MiB in any case. Bombs
/// become more, and little else does: deflate ends at 1032.
[[nodiscard]] std::size_t most_expanded(std::size_t n_packed);
inline constexpr std::size_t max_expansion = 256;

/// Throws FormatError where `n_expanded` is more than that; `advice` is what to do where it is right.
void require_expansion(std::size_t n_expanded, std::size_t n_packed, const std::string& source,
                       std::string_view advice);

[[nodiscard]] bool is_gzip(std::string_view bytes);

}  // namespace bentwood
