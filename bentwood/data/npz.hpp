#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bentwood/data/npy.hpp"

namespace bentwood {

/// The arrays of an NPZ file, which is a zip archive of NPY files; each is read when it is asked for.
class NpzArchive {
 public:
  /// Reads the directory. Throws FormatError where the bytes are no zip archive or it is damaged,
  /// encrypted, or split over several disks. `bytes` must outlive the archive.
  NpzArchive(std::string_view bytes, std::string source);

  /// The names of the arrays, without ".npy", in the order of the file.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Reads one array, stored or deflated, and checks its CRC. Throws InvalidInput that lists the names
  /// there are, FormatError as parse_npy does.
  [[nodiscard]] NpyArray array(std::string_view name) const;

  /// Whether the array has one or two dimensions; scalars and tensors are no part of a table.
  [[nodiscard]] bool is_list_or_matrix(std::string_view name) const;

 private:
  struct Entry {
    std::string name;
    std::size_t method = 0;
    std::size_t crc = 0;
    std::size_t compressed_size = 0;
    std::size_t size = 0;
    std::size_t local_header = 0;
  };

  Entry read_entry(std::size_t& at) const;
  [[nodiscard]] const Entry& entry(std::string_view name) const;
  [[nodiscard]] std::string contents(const Entry& entry) const;

  std::string_view bytes_;
  std::string source_;
  std::vector<Entry> entries_;
};

/// The bytes of an NPZ file that stores the arrays without compression. Throws InvalidInput past 4 GB,
/// where the plain zip format ends.
[[nodiscard]] std::string format_npz(const std::vector<std::pair<std::string, NpyArray>>& arrays);

}  // namespace bentwood
