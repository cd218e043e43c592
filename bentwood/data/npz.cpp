#include "bentwood/data/npz.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>

#include "bentwood/base/error.hpp"
#include "bentwood/data/npy_header.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

constexpr std::string_view end_signature("PK\x05\x06", 4);
constexpr std::string_view end64_signature("PK\x06\x06", 4);
constexpr std::string_view locator_signature("PK\x06\x07", 4);
constexpr std::string_view entry_signature("PK\x01\x02", 4);
constexpr std::string_view local_signature("PK\x03\x04", 4);
constexpr std::size_t max_32 = 0xFFFFFFFF;

[[noreturn]] void fail(const std::string& source, std::string_view problem) {
  throw FormatError(fmt::format("{}: {}", source, problem));
}

/// Little-endian numbers of an archive, none of them past its end.
class ZipReader {
 public:
  ZipReader(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  [[nodiscard]] std::string_view slice(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) {
      fail(source_, "the zip archive is damaged or cut short");
    }
    return bytes_.substr(at, size);
  }
  [[nodiscard]] std::size_t number(std::size_t at, std::size_t n_bytes) const {
    const std::string_view digits = slice(at, n_bytes);
    std::size_t value = 0;
    for (std::size_t index = n_bytes; index-- > 0;) {
      value = (value << 8) | static_cast<unsigned char>(digits[index]);
    }
    return value;
  }
  void expect(std::size_t at, std::string_view signature) const {
    if (slice(at, signature.size()) != signature) {
      fail(source_, "the zip archive is damaged or cut short");
    }
  }

 private:
  std::string_view bytes_;
  const std::string& source_;
};

struct Directory {
  std::size_t begin = 0;
  std::size_t n_entries = 0;
};

Directory find_directory(std::string_view bytes, const std::string& source) {
  const ZipReader zip(bytes, source);
  constexpr std::size_t end_size = 22;
  constexpr std::size_t longest_comment = 0xFFFF;
  const std::size_t first = bytes.size() - std::min(bytes.size(), end_size + longest_comment);
  const std::size_t end = bytes.rfind(end_signature);
  if (end == std::string_view::npos || end < first || bytes.size() - end < end_size) {
    fail(source, bytes.starts_with(local_signature)
                     ? "the zip archive is damaged or cut short"
                     : "is not an NPZ file (a zip archive of arrays)");
  }
  if (zip.number(end + 4, 2) != 0 || zip.number(end + 6, 2) != 0) {
    fail(source, "the zip archive is split over several disks");
  }
  constexpr std::size_t locator_size = 20;
  if (end >= locator_size && bytes.substr(end - locator_size).starts_with(locator_signature)) {
    const std::size_t end64 = zip.number(end - locator_size + 8, 8);
    zip.expect(end64, end64_signature);
    return {zip.number(end64 + 48, 8), zip.number(end64 + 32, 8)};
  }
  return {zip.number(end + 16, 4), zip.number(end + 10, 2)};
}

/// Replaces the sizes that did not fit 32 bits by those of the zip64 field of an entry.
void read_zip64(const ZipReader& zip, std::size_t extra, std::size_t extra_size,
                std::initializer_list<std::size_t*> values) {
  const std::size_t extra_end = extra + extra_size;
  while (extra + 4 <= extra_end) {
    const std::size_t id = zip.number(extra, 2);
    const std::size_t size = zip.number(extra + 2, 2);
    std::size_t at = extra + 4;
    if (id == 1) {
      for (std::size_t* const value : values) {
        if (*value == max_32) {
          *value = zip.number(at, 8);
          at += 8;
        }
      }
      return;
    }
    extra = at + size;
  }
}

std::string inflated(std::string_view compressed, std::size_t size, const std::string& source) {
  // Deflate cannot expand more than this, so a larger size is a lie.
  constexpr std::size_t largest_ratio = 1032;
  if (size / largest_ratio > compressed.size() + 1) {
    fail(source, "the zip archive is damaged: an array is larger than its bytes can be");
  }
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  std::string result(size, '\0');
  std::size_t in = 0;
  std::size_t out = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    // zlib does not write to its input, but its interface lacks the const.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data() + in));
    stream.next_out = reinterpret_cast<Bytef*>(result.data() + out);
    stream.avail_in = static_cast<uInt>(std::min(compressed.size() - in, most));
    stream.avail_out = static_cast<uInt>(std::min(size - out, most));
    const uInt offered_in = stream.avail_in;
    const uInt offered_out = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    in += offered_in - stream.avail_in;
    out += offered_out - stream.avail_out;
  }
  if (status != Z_STREAM_END || out != size || in != compressed.size()) {
    fail(source, "the compressed data of an array are damaged");
  }
  return result;
}

std::size_t crc_of(std::string_view bytes) {
  return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

void append_number(std::string& out, std::size_t value, std::size_t n_bytes) {
  for (std::size_t index = 0; index < n_bytes; ++index) {
    out += static_cast<char>(value >> (8 * index));
  }
}

/// The fields that the local header and the directory entry of a stored file share.
std::string common_fields(const std::string& name, std::string_view contents) {
  std::string out;
  append_number(out, 20, 2);       // version 2.0 can read it
  append_number(out, 1 << 11, 2);  // the name is UTF-8
  append_number(out, 0, 2);        // stored
  append_number(out, 0, 2);        // midnight,
  append_number(out, 0x21, 2);     // 1 January 1980: the same arrays make the same bytes
  append_number(out, crc_of(contents), 4);
  append_number(out, contents.size(), 4);
  append_number(out, contents.size(), 4);
  append_number(out, name.size(), 2);
  append_number(out, 0, 2);
  return out;
}

}  // namespace

NpzArchive::NpzArchive(std::string_view bytes, std::string source)
    : bytes_(bytes), source_(std::move(source)) {
  const Directory directory = find_directory(bytes_, source_);
  std::size_t at = directory.begin;
  std::size_t total = 0;
  for (std::size_t index = 0; index < directory.n_entries; ++index) {
    Entry entry = read_entry(at);
    // Entries that share their bytes could expand a small file without limit.
    if (entry.compressed_size > bytes_.size() - total) {
      fail(source_, "the arrays of the zip archive overlap");
    }
    total += entry.compressed_size;
    if (entry.name.ends_with(".npy")) {
      entry.name.resize(entry.name.size() - 4);
      entries_.push_back(std::move(entry));
    }
  }
  if (entries_.empty()) {
    fail(source_, "the zip archive holds no arrays (.npy files)");
  }
}

NpzArchive::Entry NpzArchive::read_entry(std::size_t& at) const {
  const ZipReader zip(bytes_, source_);
  zip.expect(at, entry_signature);
  if ((zip.number(at + 8, 2) & 1) != 0) {
    fail(source_, "the zip archive is encrypted");
  }
  Entry entry;
  entry.method = zip.number(at + 10, 2);
  entry.crc = zip.number(at + 16, 4);
  entry.compressed_size = zip.number(at + 20, 4);
  entry.size = zip.number(at + 24, 4);
  const std::size_t name_size = zip.number(at + 28, 2);
  const std::size_t extra_size = zip.number(at + 30, 2);
  const std::size_t comment_size = zip.number(at + 32, 2);
  entry.local_header = zip.number(at + 42, 4);
  constexpr std::size_t fixed_size = 46;
  entry.name = zip.slice(at + fixed_size, name_size);
  if (!is_utf8(entry.name)) {
    fail(source_, fmt::format("the array name {} is not UTF-8", shown(entry.name)));
  }
  read_zip64(zip, at + fixed_size + name_size, extra_size,
             {&entry.size, &entry.compressed_size, &entry.local_header});
  at += fixed_size + name_size + extra_size + comment_size;
  return entry;
}

std::vector<std::string> NpzArchive::names() const {
  std::vector<std::string> result;
  for (const Entry& entry : entries_) {
    result.push_back(entry.name);
  }
  return result;
}

const NpzArchive::Entry& NpzArchive::entry(std::string_view name) const {
  const auto found =
      std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.name == name; });
  if (found == entries_.end()) {
    std::vector<std::string> known;
    for (const Entry& entry : entries_) {
      known.push_back(shown(entry.name));
    }
    constexpr std::size_t most = 12;
    const std::string more =
        known.size() > most ? fmt::format(" and {} more", known.size() - most) : "";
    known.resize(std::min(known.size(), most));
    throw InvalidInput(fmt::format("{}: no array {}, found {}{}", source_, shown(name),
                                   fmt::join(known, ", "), more));
  }
  return *found;
}

NpyArray NpzArchive::array(std::string_view name) const {
  const std::string place = fmt::format("{}, array {}", source_, shown(name));
  return parse_npy(contents(entry(name)), place);
}

bool NpzArchive::is_list_or_matrix(std::string_view name) const {
  const std::string place = fmt::format("{}, array {}", source_, shown(name));
  const std::size_t n_dimensions = parse_npy_header(contents(entry(name)), place).shape.size();
  return n_dimensions == 1 || n_dimensions == 2;
}

std::string NpzArchive::contents(const Entry& entry) const {
  const ZipReader zip(bytes_, source_);
  const std::string place = fmt::format("{}, array {}", source_, shown(entry.name));
  zip.expect(entry.local_header, local_signature);
  constexpr std::size_t fixed_size = 30;
  // Its sizes may be 0 or 0xFFFFFFFF here; those of the directory count.
  const std::size_t begin = entry.local_header + fixed_size +
                            zip.number(entry.local_header + 26, 2) +
                            zip.number(entry.local_header + 28, 2);
  const std::string_view packed = zip.slice(begin, entry.compressed_size);
  std::string result;
  if (entry.method == 0) {
    if (entry.size != entry.compressed_size) {
      fail(place, "the zip archive gives two sizes for stored data");
    }
    result = packed;
  } else if (entry.method == 8) {
    result = inflated(packed, entry.size, place);
  } else {
    fail(place,
         fmt::format("zip compression method {} is not supported, expected stored or deflate",
                     entry.method));
  }
  if (crc_of(result) != entry.crc) {
    fail(place, "the checksum does not match, the file is damaged");
  }
  return result;
}

std::string format_npz(const std::vector<std::pair<std::string, NpyArray>>& arrays) {
  std::string files;
  std::string directory;
  for (const auto& [array_name, array] : arrays) {
    const std::string name = array_name + ".npy";
    if (name.size() > 0xFFFF || array_name.find('\0') != std::string::npos) {
      throw InvalidInput(fmt::format("{} cannot name an array", shown(array_name)));
    }
    const std::string contents = format_npy(array);
    const std::string fields = common_fields(name, contents);
    const std::size_t begin = files.size();
    files.append(local_signature).append(fields).append(name).append(contents);
    directory.append(entry_signature).append("\x14\x00", 2).append(fields);
    append_number(directory, 0, 2);  // no comment
    append_number(directory, 0, 2);  // disk 0
    append_number(directory, 0, 2);
    append_number(directory, 0, 4);
    append_number(directory, begin, 4);
    directory += name;
    if (files.size() > max_32) {
      throw InvalidInput("an NPZ file can hold at most 4 GB; write several or use .npy");
    }
  }
  if (arrays.size() >= 0xFFFF) {
    throw InvalidInput(
        fmt::format("an NPZ file can hold at most 65534 arrays, found {}", arrays.size()));
  }
  std::string end(end_signature);
  append_number(end, 0, 4);
  append_number(end, arrays.size(), 2);
  append_number(end, arrays.size(), 2);
  append_number(end, directory.size(), 4);
  append_number(end, files.size(), 4);
  append_number(end, 0, 2);
  return files + directory + end;
}

}  // namespace bentwood
