#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/file_descriptor.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

/// A zlib decoder that is released on every way out.
class Inflater {
 public:
  Inflater() {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream, gzip_only) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
};

uInt at_most_uint(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

[[noreturn]] void fail_to_read(const std::string& source, int number) {
  throw IoError(fmt::format("{}: cannot read: {}", source, system_message(number)), number);
}

Bytes read_all(int descriptor, std::size_t expected, const std::string& source) {
  constexpr std::size_t read_size = std::size_t{1} << 22;
  // One byte more than expected: the read that returns 0 needs somewhere to put nothing.
  Bytes bytes(expected + 1);
  while (true) {
    throw_if_interrupted();
    std::span<char> space = bytes.space(1);
    const ssize_t n_read = read(descriptor, space.data(), std::min(space.size(), read_size));
    if (n_read == 0) {
      return bytes;
    }
    if (n_read > 0) {
      bytes.extend(static_cast<std::size_t>(n_read));
    } else if (errno != EINTR) {
      fail_to_read(source, errno);
    }
  }
}

/// Reads a file of known size on several threads: most of the time goes to the pages of memory that
/// the bytes come to lie in. Throws where the file turns out to be shorter; what is added meanwhile
/// is not seen.
Bytes read_regular(int descriptor, std::size_t size, const std::string& source) {
  constexpr std::size_t block_size = std::size_t{1} << 22;
  Bytes bytes(size);
  const std::span<char> space = bytes.space(size);
  parallel_blocks(size, block_size, [&](std::size_t begin, std::size_t end) {
    while (begin < end) {
      const ssize_t n_read =
          pread(descriptor, space.data() + begin, end - begin, static_cast<off_t>(begin));
      if (n_read > 0) {
        begin += static_cast<std::size_t>(n_read);
      } else if (n_read == 0) {
        throw IoError(fmt::format("{}: was cut short while it was read", source));
      } else if (errno != EINTR) {
        fail_to_read(source, errno);
      }
    }
  });
  bytes.extend(size);
  return bytes;
}

Bytes read_path(const std::string& path, const std::string& source) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    const int number = errno;
    throw IoError(fmt::format("{}: {}", source, system_message(number)), number);
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0) {
    const int number = errno;
    throw IoError(fmt::format("{}: {}", source, system_message(number)), number);
  }
  if (S_ISDIR(status.st_mode)) {
    throw IoError(fmt::format("{}: is a folder, expected a file", source), EISDIR);
  }
  const auto size = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
  // The files of /proc say that they are empty.
  return S_ISREG(status.st_mode) && size > 0 ? read_regular(file.get(), size, source)
                                             : read_all(file.get(), size, source);
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
  constexpr std::size_t always_allowed = std::size_t{1} << 20;
  const std::size_t limit = always_allowed + max_expansion * compressed.size();
  Inflater inflater;
  z_stream& stream = inflater.stream;
  // zlib does not write to its input, but its interface lacks the const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  std::size_t left = compressed.size();
  Bytes out(std::min(limit, 4 * compressed.size() + 64));
  while (true) {
    throw_if_interrupted();
    const std::span<char> space = out.space(1);
    stream.next_out = reinterpret_cast<Bytef*>(space.data());
    stream.avail_out = at_most_uint(space.size());
    stream.avail_in = at_most_uint(left);
    const uInt offered_in = stream.avail_in;
    const uInt offered_out = stream.avail_out;
    const int status = inflate(&stream, Z_NO_FLUSH);
    left -= offered_in - stream.avail_in;
    out.extend(offered_out - stream.avail_out);
    if (out.size() > limit) {
      throw FormatError(fmt::format(
          "{}: expands to more than {} times its size; decompress it first if that is right",
          source, max_expansion));
    }
    if (status == Z_STREAM_END) {
      if (!is_gzip({reinterpret_cast<const char*>(stream.next_in), left})) {
        break;
      }
      inflateReset(&stream);
    } else if (left == 0 && (status == Z_BUF_ERROR || stream.avail_out != 0)) {
      throw FormatError(fmt::format("{}: the gzip data end too early", source));
    } else if (status != Z_OK) {
      throw FormatError(fmt::format("{}: the gzip data are damaged", source));
    }
  }
  if (left != 0) {
    throw FormatError(fmt::format("{}: {} bytes follow the gzip data", source, left));
  }
  return out;
}

Bytes read_file(const std::string& path) {
  const std::string source = source_name(path);
  Bytes bytes = path == "-" ? read_all(STDIN_FILENO, 0, source) : read_path(path, source);
  if (is_gzip(bytes.view())) {
    bytes = gunzip(bytes.view(), source);
  } else if (path.ends_with(".gz") && bytes.size() != 0) {
    throw FormatError(
        fmt::format("{}: is not in gzip format, though its name ends in .gz", source));
  }
  if (bytes.size() == 0) {
    throw FormatError(fmt::format("{}: the file is empty", source));
  }
  return bytes;
}

}  // namespace bentwood
