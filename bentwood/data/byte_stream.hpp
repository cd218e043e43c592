#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace bentwood {

/// Bytes of known number that are handed out in order, from memory or as they are decompressed.
class ByteStream {
 public:
  ByteStream() = default;
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  [[nodiscard]] virtual std::size_t left() const = 0;
  /// As many as are best asked for at once.
  [[nodiscard]] virtual std::size_t piece_size() const = 0;
  /// The next bytes, exactly so many; valid until the next call. Requires n_bytes <= left().
  [[nodiscard]] virtual std::string_view next(std::size_t n_bytes) = 0;
};

/// Bytes in memory, all of which may be asked for at once.
class MemoryStream : public ByteStream {
 public:
  /// `bytes` must outlive the stream.
  explicit MemoryStream(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::size_t left() const override { return rest_.size(); }
  [[nodiscard]] std::size_t piece_size() const override { return rest_.size(); }
  [[nodiscard]] std::string_view next(std::size_t n_bytes) override {
    const std::string_view taken = rest_.substr(0, n_bytes);
    rest_.remove_prefix(n_bytes);
    return taken;
  }

 private:
  std::string_view rest_;
};

}  // namespace bentwood
