#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bentwood {

class Input;

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

/// What a reader expects of an input.
enum class Contents : std::uint8_t { bytes, text };

/// Reads all that is left of an input. Contents in gzip format are decompressed, whatever the file's name.
///
/// What can never become anything is refused before it fills the memory: where nobody knows how long an input is, NUL
/// bytes in text are refused as they come (FormatError), and so is an input of more than most_of_a_stream() bytes. Throws
/// FormatError where it is empty, and for damaged gzip data and bombs (Gunzip); IoError.
[[nodiscard]] Bytes read_file(Input& input, Contents contents = Contents::bytes);
/// The same for a path ("-": standard input). Throws IoError, too: no such file, a folder, no permission.
[[nodiscard]] Bytes read_file(const std::string& path, Contents contents = Contents::bytes);

/// The first bytes of what an input holds, decompressed where it is in gzip format: `n_bytes`, or fewer where there are
/// no more or they cannot be had so soon. They stay to be read.
[[nodiscard]] std::string first_bytes(Input& input, std::size_t n_bytes);

/// A quarter of the memory that can be had: what an input may hold whose end nobody knows.
[[nodiscard]] std::size_t most_of_a_stream();

/// Decompresses gzip bytes, one or more members; see Gunzip.
[[nodiscard]] Bytes gunzip(std::string_view compressed, const std::string& source);

/// Replaces a file by the pieces put together ("-": standard output), gzipped where the name ends
/// in ".gz". A reader, a crash or a full disk sees the old file or the new one, never a torn one: the
/// bytes go to a temporary file in the same folder (TemporaryFile), which is synced, renamed, and its folder
/// synced. A link stays a link, also to a file that is not there yet; a file keeps its mode. Throws IoError; the old file is then
/// intact and no temporary file is left.
void write_file(const std::string& path, std::span<const std::string> pieces);

/// Throws the IoError that `write_file` would for a name that cannot be written to; leaves everything as it is.
void check_writable(const std::string& path);

}  // namespace bentwood
