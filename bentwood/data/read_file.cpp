#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "bentwood/base/available_memory.hpp"
#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/inflate.hpp"
#include "bentwood/data/input.hpp"
#include "bentwood/data/plain_text.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

/// Throws where text that goes on is none: `bytes` are all that came so far, the last `n_new` of them just now.
void check_arrived(const Bytes& bytes, std::size_t n_new, Contents contents,
                   const std::string& source) {
  const std::string_view all = bytes.view();
  if (contents == Contents::text &&
      all.substr(all.size() - n_new).find('\0') != std::string_view::npos) {
    (void)plain_text(all, source);  // throws, with the line, or because it is UTF-16
  }
}

/// Reads what comes until it ends.
Bytes read_stream(Input& input, Contents contents) {
  constexpr std::size_t read_size = std::size_t{1} << 22;
  const std::size_t most = most_of_a_stream();
  Bytes bytes;
  while (true) {
    const std::span<char> space = bytes.space(1);
    const std::size_t n_read = input.read(space.first(std::min(space.size(), read_size)));
    if (n_read == 0) {
      return bytes;
    }
    bytes.extend(n_read);
    check_arrived(bytes, n_read, contents, input.source());
    if (bytes.size() > most) {
      throw FormatError(fmt::format(
          "{}: goes on after {:.1f} GB, a quarter of the free memory; save it to a file "
          "first if it has an end",
          input.source(), static_cast<double>(most) / 1e9));
    }
  }
}

/// Reads a file of known size on several threads: most of the time goes to the pages of memory that
/// the bytes come to lie in. Throws where the file turns out to be shorter; what is added meanwhile
/// is not seen.
Bytes read_ordinary(const Input& input, std::size_t size) {
  constexpr std::size_t block_size = std::size_t{1} << 22;
  Bytes bytes(size);
  const std::span<char> space = bytes.space(size);
  parallel_blocks(size, block_size, [&](std::size_t begin, std::size_t end) {
    while (begin < end) {
      const std::size_t n_read = input.read_at(begin, space.subspan(begin, end - begin));
      if (n_read == 0) {
        throw IoError(fmt::format("{}: was cut short while it was read", input.source()));
      }
      begin += n_read;
    }
  });
  bytes.extend(size);
  return bytes;
}

Bytes read_gzip(Input& input, Contents contents) {
  constexpr std::size_t piece_size = std::size_t{1} << 18;
  const std::size_t size = input.size().value_or(0);
  Gunzip gunzip(input.source(), size);
  Bytes bytes(std::min(most_expanded(size), 4 * size + 64));
  std::vector<char> piece(piece_size);
  while (const std::size_t n_read = input.read(piece)) {
    const std::size_t n_before = bytes.size();
    gunzip.take({piece.data(), n_read}, bytes);
    check_arrived(bytes, bytes.size() - n_before, contents, input.source());
  }
  gunzip.finish();
  return bytes;
}

}  // namespace

std::span<char> Bytes::space(std::size_t least) {
  if (capacity_ - size_ < least) {
    Bytes larger(std::max({2 * capacity_, size_ + least, std::size_t{4096}}));
    if (size_ != 0) {
      std::memcpy(larger.data_.get(), data_.get(), size_);
    }
    larger.size_ = size_;
    *this = std::move(larger);
  }
  return {data_.get() + size_, capacity_ - size_};
}

std::string source_name(const std::string& path) {
  constexpr std::size_t longest = 4096;
  return path == "-" ? "standard input" : printable(path, longest);
}

std::string extension(std::string_view path) {
  const auto lower = [](std::string_view text) {
    std::string result(text);
    for (char& character : result) {
      if (character >= 'A' && character <= 'Z') {
        character = static_cast<char>(character - 'A' + 'a');
      }
    }
    return result;
  };
  std::string name = lower(path.substr(path.find_last_of('/') + 1));
  if (name.ends_with(".gz")) {
    name.resize(name.size() - 3);
  }
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? "" : name.substr(dot);
}

Bytes gunzip(std::string_view compressed, const std::string& source) {
  Bytes out(std::min(most_expanded(compressed.size()), 4 * compressed.size() + 64));
  Gunzip gunzip(source, compressed.size());
  gunzip.take(compressed, out);
  gunzip.finish();
  return out;
}

std::size_t most_of_a_stream() { return available_memory() / 4; }

std::string first_bytes(Input& input, std::size_t n_bytes) {
  if (!is_gzip(input.peek(2))) {
    return std::string(input.peek(n_bytes));
  }
  // Enough for the header of any gzip file that a program writes.
  constexpr std::size_t n_packed = 4096;
  std::string result(n_bytes, '\0');
  Inflater inflater(Inflater::Wrapper::gzip);
  result.resize(inflater.step(input.peek(n_packed), result).n_made);
  return result;
}

Bytes read_file(Input& input, Contents contents) {
  const bool packed = is_gzip(input.peek(2));
  if (!packed && input.path().ends_with(".gz") && !input.peek(1).empty()) {
    throw FormatError(
        fmt::format("{}: is not in gzip format, though its name ends in .gz", input.source()));
  }
  Bytes bytes = packed         ? read_gzip(input, contents)
                : input.size() ? read_ordinary(input, *input.size())
                               : read_stream(input, contents);
  if (bytes.size() == 0) {
    throw FormatError(fmt::format("{}: the file is empty", input.source()));
  }
  return bytes;
}

Bytes read_file(const std::string& path, Contents contents) {
  Input input(path);
  return read_file(input, contents);
}

}  // namespace bentwood
