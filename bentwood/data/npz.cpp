#include "bentwood/data/npz.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <optional>
#include <span>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/inflate.hpp"
#include "bentwood/data/npy_header.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/data/zip.hpp"

namespace bentwood {
namespace {

constexpr std::string_view end64_signature("PK\x06\x06", 4);
constexpr std::string_view locator_signature("PK\x06\x07", 4);

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
  const ZipReader reader(bytes, source);
  constexpr std::size_t end_size = 22;
  constexpr std::size_t longest_comment = 0xFFFF;
  const std::size_t first = bytes.size() - std::min(bytes.size(), end_size + longest_comment);
  const std::size_t end = bytes.rfind(zip::end_signature);
  if (end == std::string_view::npos || end < first || bytes.size() - end < end_size) {
    fail(source, bytes.starts_with(zip::local_signature)
                     ? "the zip archive is damaged or cut short"
                     : "is not an NPZ file (a zip archive of arrays)");
  }
  if (reader.number(end + 4, 2) != 0 || reader.number(end + 6, 2) != 0) {
    fail(source, "the zip archive is split over several disks");
  }
  constexpr std::size_t locator_size = 20;
  if (end >= locator_size && bytes.substr(end - locator_size).starts_with(locator_signature)) {
    const std::size_t end64 = reader.number(end - locator_size + 8, 8);
    reader.expect(end64, end64_signature);
    return {reader.number(end64 + 48, 8), reader.number(end64 + 32, 8)};
  }
  return {reader.number(end + 16, 4), reader.number(end + 10, 2)};
}

/// Replaces the sizes that did not fit 32 bits by those of the zip64 field of an entry.
void read_zip64(const ZipReader& reader, std::size_t extra, std::size_t extra_size,
                std::initializer_list<std::size_t*> values) {
  const std::size_t extra_end = extra + extra_size;
  while (extra + 4 <= extra_end) {
    const std::size_t id = reader.number(extra, 2);
    const std::size_t size = reader.number(extra + 2, 2);
    std::size_t at = extra + 4;
    if (id == 1) {
      for (std::size_t* const value : values) {
        if (*value == zip::max_32) {
          *value = reader.number(at, 8);
          at += 8;
        }
      }
      return;
    }
    extra = at + size;
  }
}

/// How much is inflated or checked at a time.
constexpr std::size_t piece_size = std::size_t{1} << 20;

}  // namespace

std::size_t zip::crc_of(std::string_view bytes, std::size_t before) {
  std::size_t crc = before;
  while (!bytes.empty()) {
    throw_if_interrupted();
    const std::string_view piece = bytes.substr(0, piece_size);
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    bytes.remove_prefix(piece.size());
  }
  return crc;
}

/// The contents of one file of the archive, decompressed as they are asked for.
class NpzArchive::Contents : public ByteStream {
 public:
  Contents(std::string_view packed, const Entry& entry, std::string place)
      : packed_(packed), entry_(entry), place_(std::move(place)), left_(entry.size) {
    // Deflate cannot expand more than this, so a larger size is a lie.
    constexpr std::size_t largest_ratio = 1032;
    if (entry.method == 0 && entry.size != entry.compressed_size) {
      fail(place_, "the zip archive gives two sizes for stored data");
    }
    if (entry.method == 8 && entry.size / largest_ratio > packed.size() + 1) {
      fail(place_, "the zip archive is damaged: an array is larger than its bytes can be");
    }
    if (entry.method != 0 && entry.method != 8) {
      fail(place_,
           fmt::format("zip compression method {} is not supported, expected stored or deflate",
                       entry.method));
    }
    if (entry.method == 8) {
      inflater_.emplace(Inflater::Wrapper::none);
    }
  }

  [[nodiscard]] std::size_t left() const override { return left_; }
  [[nodiscard]] std::size_t piece_size() const override { return bentwood::piece_size; }

  [[nodiscard]] std::string_view next(std::size_t n_bytes) override {
    std::string_view taken;
    if (!inflater_) {
      taken = packed_.substr(0, n_bytes);
      packed_.remove_prefix(n_bytes);
    } else {
      taken = inflated(n_bytes);
    }
    left_ -= n_bytes;
    crc_ = zip::crc_of(taken, crc_);
    return taken;
  }

  /// Reads what is left, and throws where anything of it all is damaged.
  void finish() {
    while (left_ > 0) {
      (void)next(std::min(left_, bentwood::piece_size));
    }
    if (inflater_) {
      char beyond = 0;
      const Inflater::Step step = inflater_->step(packed_, {&beyond, 1});
      if (step.n_made != 0 || step.n_taken != packed_.size() ||
          (!at_end_ && step.state != Inflater::State::at_end)) {
        fail_damaged();
      }
    }
    if (crc_ != entry_.crc) {
      fail(place_, "the checksum does not match, the file is damaged");
    }
  }

 private:
  [[noreturn]] void fail_damaged() const {
    fail(place_, "the compressed data of an array are damaged");
  }

  std::string_view inflated(std::size_t n_bytes) {
    buffer_.resize(std::max(buffer_.size(), n_bytes));
    std::size_t n_made = 0;
    while (n_made < n_bytes) {
      const Inflater::Step step =
          inflater_->step(packed_, std::span(buffer_).subspan(n_made, n_bytes - n_made));
      packed_.remove_prefix(step.n_taken);
      n_made += step.n_made;
      at_end_ = step.state == Inflater::State::at_end;
      if (step.state == Inflater::State::damaged || (step.n_made == 0 && step.n_taken == 0) ||
          (at_end_ && n_made < n_bytes)) {
        fail_damaged();
      }
    }
    return {buffer_.data(), n_bytes};
  }

  std::string_view packed_;
  const Entry& entry_;
  std::string place_;
  std::size_t left_;
  std::size_t crc_ = 0;
  /// Of deflated contents alone.
  std::optional<Inflater> inflater_;
  bool at_end_ = false;
  std::vector<char> buffer_;
};

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
  for (std::size_t index = 0; index < entries_.size(); ++index) {
    places_.emplace(entries_[index].name, index);
  }
}

NpzArchive::Entry NpzArchive::read_entry(std::size_t& at) const {
  const ZipReader reader(bytes_, source_);
  reader.expect(at, zip::entry_signature);
  if ((reader.number(at + 8, 2) & 1) != 0) {
    fail(source_, "the zip archive is encrypted");
  }
  Entry entry;
  entry.method = reader.number(at + 10, 2);
  entry.crc = reader.number(at + 16, 4);
  entry.compressed_size = reader.number(at + 20, 4);
  entry.size = reader.number(at + 24, 4);
  const std::size_t name_size = reader.number(at + 28, 2);
  const std::size_t extra_size = reader.number(at + 30, 2);
  const std::size_t comment_size = reader.number(at + 32, 2);
  entry.local_header = reader.number(at + 42, 4);
  constexpr std::size_t fixed_size = 46;
  entry.name = reader.slice(at + fixed_size, name_size);
  if (!is_utf8(entry.name)) {
    fail(source_, fmt::format("the array name {} is not UTF-8", shown(entry.name)));
  }
  read_zip64(reader, at + fixed_size + name_size, extra_size,
             {&entry.size, &entry.compressed_size, &entry.local_header});
  at += fixed_size + name_size + extra_size + comment_size;
  return entry;
}

std::size_t NpzArchive::find(std::string_view name) const {
  const auto found = places_.find(name);
  if (found != places_.end()) {
    return found->second;
  }
  constexpr std::size_t most = 12;
  std::vector<std::string> known;
  for (std::size_t index = 0; index < std::min(entries_.size(), most); ++index) {
    known.push_back(shown(entries_[index].name));
  }
  throw InvalidInput(fmt::format(
      "{}: no array {}, found {}{}", source_, shown(name), fmt::join(known, ", "),
      entries_.size() > most ? fmt::format(" and {} more", entries_.size() - most) : ""));
}

/// Reads an array; damage is said to be damage, even where it made the header or the elements impossible.
template <class Read>
auto NpzArchive::read(const Entry& entry, const Read& read) const {
  Contents contents(packed_bytes(entry), entry, place(entry));
  try {
    NpyReader reader(contents, place(entry));
    auto result = read(reader);
    contents.finish();
    return result;
  } catch (const FormatError&) {
    contents.finish();
    throw;
  }
}

NpyHeader NpzArchive::header(std::size_t index) const {
  const Entry& entry = entries_[index];
  Contents contents(packed_bytes(entry), entry, place(entry));
  try {
    return read_npy_header(contents, place(entry));
  } catch (const FormatError&) {
    contents.finish();
    throw;
  }
}

NpyArray NpzArchive::array(std::string_view name) const {
  return read(entries_[find(name)], [](NpyReader& reader) { return reader.array(); });
}

NpyColumns NpzArchive::columns(std::size_t index, std::size_t n_packed,
                               std::size_t& n_expanded) const {
  const Entry& entry = entries_[index];
  n_expanded += entry.method == 0 ? 0 : entry.size;
  require_expansion(n_expanded, n_packed, source_, "save it without compression");
  return read(entry, [&](NpyReader& reader) {
    // Small numbers and short texts take more room in memory than in the file.
    n_expanded += entry.method == 0 ? 0 : reader.memory() - std::min(reader.memory(), entry.size);
    require_expansion(n_expanded, n_packed, source_, "save it without compression");
    return reader.columns();
  });
}

std::string NpzArchive::place(const Entry& entry) const {
  return fmt::format("{}, array {}", source_, shown(entry.name));
}

std::string_view NpzArchive::packed_bytes(const Entry& entry) const {
  const ZipReader reader(bytes_, source_);
  reader.expect(entry.local_header, zip::local_signature);
  constexpr std::size_t fixed_size = 30;
  // Its sizes may be 0 or 0xFFFFFFFF here; those of the directory count.
  const std::size_t begin = entry.local_header + fixed_size +
                            reader.number(entry.local_header + 26, 2) +
                            reader.number(entry.local_header + 28, 2);
  return reader.slice(begin, entry.compressed_size);
}

bool begins_like_npz(std::string_view bytes) {
  return bytes.starts_with(zip::local_signature) || bytes.starts_with(zip::end_signature);
}

}  // namespace bentwood
