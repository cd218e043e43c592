#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bentwood/data/file_descriptor.hpp"

namespace bentwood {

/// A file, a pipe, a device or standard input, opened once.
///
/// Whoever wants to know what an input holds looks at its first bytes with peek() and hands it on: pipes
/// give their bytes once, so an input is never opened a second time. Waiting for bytes, or for
/// somebody to open the other end of a FIFO, ends with Interrupted where the user asks for it.
class Input {
 public:
  /// Opens a path ("-": standard input). Throws IoError: no such file, a folder, no permission.
  explicit Input(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  /// What messages call it.
  [[nodiscard]] const std::string& source() const { return source_; }
  /// The length of an ordinary file that has bytes; nothing for all others, whose end nobody knows:
  /// pipes, devices, standard input, and the files of /proc, which say that they are empty.
  [[nodiscard]] std::optional<std::size_t> size() const { return size_; }

  /// The first bytes of those that are still to be read, `n_bytes` or all there are; valid until the next
  /// call.
  [[nodiscard]] std::string_view peek(std::size_t n_bytes);

  /// Reads on, as much as there is now and fits; 0 at the end only. Requires space.
  [[nodiscard]] std::size_t read(std::span<char> space);

  /// Reads bytes of an ordinary file from anywhere, on any thread, and leaves what read() will give as it
  /// is; 0 at its end.
  [[nodiscard]] std::size_t read_at(std::size_t offset, std::span<char> space) const;

  /// How many bytes read() has given.
  [[nodiscard]] std::size_t n_read() const { return n_read_; }

 private:
  void wait_for_bytes() const;
  [[nodiscard]] std::size_t read_more(std::span<char> space);

  std::string path_;
  std::string source_;
  FileDescriptor file_;
  bool may_wait_ = false;
  std::optional<std::size_t> size_;
  /// Bytes that were looked at and not yet read.
  std::string ahead_;
  std::size_t n_read_ = 0;
};

}  // namespace bentwood
