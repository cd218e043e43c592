#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bentwood/data/npy.hpp"

namespace bentwood {

/// The arrays of an NPZ file, which is a zip archive of NPY files; each is read when it is asked
/// for.
class NpzArchive {
 public:
  /// Reads the directory. Throws FormatError where the bytes are no zip archive or it is damaged,
  /// encrypted, or split over several disks. `bytes` must outlive the archive.
  NpzArchive(std::string_view bytes, std::string source);
  ~NpzArchive() = default;
  NpzArchive(const NpzArchive&) = delete;
  NpzArchive& operator=(const NpzArchive&) = delete;

  /// The arrays are numbered in the order of the file.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// The name of an array, without ".npy".
  [[nodiscard]] const std::string& name(std::size_t index) const { return entries_[index].name; }
  /// The number of the array of this name. Throws InvalidInput that lists the names there are.
  [[nodiscard]] std::size_t find(std::string_view name) const;

  /// What the array says of itself, before any of its elements is looked at.
  [[nodiscard]] NpyHeader header(std::size_t index) const;
  /// Reads one array, stored or deflated, and checks its CRC. Throws FormatError as NpyReader does.
  [[nodiscard]] NpyArray array(std::string_view name) const;
  /// The same as columns. Where the array is compressed, `n_expanded` grows by what it becomes: throws FormatError where
  /// that is more than most_expanded() of `n_packed`.
  [[nodiscard]] NpyColumns columns(std::size_t index, std::size_t n_packed,
                                   std::size_t& n_expanded) const;

 private:
  struct Entry {
    std::string name;
    std::size_t method = 0;
    std::size_t crc = 0;
    std::size_t compressed_size = 0;
    std::size_t size = 0;
    std::size_t local_header = 0;
  };
  class Contents;

  Entry read_entry(std::size_t& at) const;
  [[nodiscard]] std::string place(const Entry& entry) const;
  [[nodiscard]] std::string_view packed_bytes(const Entry& entry) const;
  template <class Read>
  auto read(const Entry& entry, const Read& read) const;

  std::string_view bytes_;
  std::string source_;
  std::vector<Entry> entries_;
  /// By name; names that come twice stand for the first.
  std::unordered_map<std::string_view, std::size_t> places_;
};

/// How NPZ files begin: with a first file, or with the end of an archive without any.
[[nodiscard]] bool begins_like_npz(std::string_view bytes);

/// The bytes of an NPZ file that stores the arrays without compression. Throws InvalidInput past 4
/// GB, where the plain zip format ends.
[[nodiscard]] std::string format_npz(const std::vector<std::pair<std::string, NpyArray>>& arrays);

}  // namespace bentwood
