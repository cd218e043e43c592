#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bentwood {

/// The bytes of a file. Not a std::string: its bytes need not be zeroed before they are read.
class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::size_t capacity)
      : data_(std::make_unique_for_overwrite<char[]>(capacity)), capacity_(capacity) {}

  [[nodiscard]] std::string_view view() const { return {data_.get(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// The free space behind the bytes, at least `least` of it; doubles the capacity where it must.
  [[nodiscard]] std::span<char> space(std::size_t least);
  /// Counts the first `n_bytes` of space() as bytes.
  void extend(std::size_t n_bytes) { size_ += n_bytes; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// How messages call a path: "standard input" for "-", else the path, made printable.
[[nodiscard]] std::string source_name(const std::string& path);

/// The path without a final ".gz", and its extension in lower case with the dot: ".csv" for
/// "Points.CSV.gz"; empty where there is none.
[[nodiscard]] std::string extension(std::string_view path);

/// Reads a whole file ("-": standard input). Contents in gzip format are decompressed, whatever the
/// file's name. Throws IoError: no such file, a folder, no permission; FormatError where it is
/// empty.
[[nodiscard]] Bytes read_file(const std::string& path);

/// Decompresses gzip bytes, one or more members. Throws FormatError for damaged or truncated bytes
/// and for those that expand to more than `max_expansion` times their size, as only bombs do.
[[nodiscard]] Bytes gunzip(std::string_view compressed, const std::string& source);
inline constexpr std::size_t max_expansion = 256;

/// Replaces a file by the pieces put together ("-": standard output), gzipped where the name ends
/// in
/// ".gz". A reader, a crash or a full disk sees the old file or the new one, never a torn one: the
/// bytes go to a temporary file in the same folder, which is synced, renamed, and its folder
/// synced. Throws IoError; the old file is then intact and no temporary file is left.
void write_file(const std::string& path, std::span<const std::string> pieces);

/// Throws the IoError that `write_file` would for a name that cannot be written to; leaves everything as it is.
void check_writable(const std::string& path);

}  // namespace bentwood
