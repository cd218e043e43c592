#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/file_descriptor.hpp"
#include "bentwood/data/temporary_file.hpp"

namespace bentwood {
namespace {

[[noreturn]] void fail(const std::string& source, int number) {
  throw IoError(fmt::format("{}: cannot write: {}", source, system_message(number)), number);
}

/// How long to wait at a time, in milliseconds, before asking whether the user wants to stop.
constexpr int turn = 50;

void wait_for_room(int descriptor) {
  pollfd waiting{.fd = descriptor, .events = POLLOUT, .revents = 0};
  while (poll(&waiting, 1, turn) == 0) {
    throw_if_interrupted();
  }
}

void write_all(int descriptor, std::string_view bytes, const std::string& source) {
  constexpr std::size_t write_size = std::size_t{1} << 22;
  while (!bytes.empty()) {
    throw_if_interrupted();
    const ssize_t n_written = write(descriptor, bytes.data(), std::min(bytes.size(), write_size));
    if (n_written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n_written));
    } else if (errno == EAGAIN) {
      wait_for_room(descriptor);
    } else if (errno != EINTR) {
      fail(source, errno);
    }
  }
}

/// How much is written to a disk before it is waited for.
constexpr std::size_t synced_size = std::size_t{1} << 25;

/// Waits until the disk has what was written so far. All has to be there before a file is renamed, and waiting for it
/// at once cannot be interrupted.
void sync_written(int descriptor, const std::string& source) {
  constexpr unsigned flags =
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  // What a file system does not know about, fsync() does at the end.
  if (sync_file_range(descriptor, 0, 0, flags) != 0 && errno != ENOSYS && errno != EINVAL &&
      errno != ESPIPE) {
    fail(source, errno);
  }
}

void write_all(int descriptor, std::span<const std::string> pieces, const std::string& source) {
  for (const std::string& piece : pieces) {
    write_all(descriptor, piece, source);
  }
}

/// What a name stands for now.
struct Target {
  std::string path;
  /// 0 where there is no file yet.
  mode_t mode = 0;

  /// A pipe or a device cannot be replaced, only written to.
  [[nodiscard]] bool can_be_replaced() const { return mode == 0 || S_ISREG(mode); }
};

/// The name that a link stands for.
std::optional<std::string> linked(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::read_symlink(path, error);
  if (error) {
    return std::nullopt;
  }
  return (std::filesystem::path(path).parent_path() / target).string();
}

/// A link stays a link: the file that it points to is replaced, or made where there is none.
Target target_of(const std::string& path, const std::string& source) {
  constexpr int most_links = 40;  // the system's own limit
  Target target{path};
  struct stat status {};
  for (int n_links = 0; stat(target.path.c_str(), &status) != 0; ++n_links) {
    if (errno != ENOENT) {
      fail(source, errno);
    }
    std::optional<std::string> next = linked(target.path);
    if (!next) {
      return target;
    }
    if (n_links == most_links) {
      fail(source, ELOOP);
    }
    target.path = std::move(*next);
  }
  target.mode = status.st_mode;
  if (S_ISDIR(target.mode)) {
    throw IoError(fmt::format("{}: cannot write: is a folder", source), EISDIR);
  }
  if (char* const resolved = realpath(target.path.c_str(), nullptr)) {
    target.path = resolved;
    free(resolved);  // NOLINT: realpath allocates with malloc
  }
  return target;
}

/// Opens a device, or a FIFO as soon as somebody reads it.
int opened_stream(const Target& target) {
  constexpr int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
  if (!S_ISFIFO(target.mode)) {
    return open(target.path.c_str(), flags);
  }
  while (true) {
    // Waiting in open() could not be interrupted wherever the signal goes to another thread.
    const int descriptor = open(target.path.c_str(), flags | O_NONBLOCK);
    if (descriptor >= 0 || errno != ENXIO) {
      return descriptor;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(turn));
    throw_if_interrupted();
  }
}

void replace_file(const std::string& path, std::span<const std::string> pieces) {
  const std::string source = source_name(path);
  const Target target = target_of(path, source);
  if (!target.can_be_replaced()) {
    const FileDescriptor file(opened_stream(target));
    if (file.get() < 0) {
      fail(source, errno);
    }
    write_all(file.get(), pieces, source);
    return;
  }
  TemporaryFile file(target.path, target.mode, source);
  std::size_t n_since_sync = 0;
  for (std::string_view rest : pieces) {
    while (!rest.empty()) {
      const std::string_view now = rest.substr(0, synced_size - n_since_sync);
      write_all(file.descriptor(), now, source);
      rest.remove_prefix(now.size());
      n_since_sync += now.size();
      if (n_since_sync == synced_size) {
        sync_written(file.descriptor(), source);
        n_since_sync = 0;
      }
    }
  }
  file.replace_target();
}

std::string gzipped(std::span<const std::string> pieces) {
  constexpr int gzip_format = 16 + MAX_WBITS;
  constexpr int memory_level = 8;
  constexpr std::size_t step = std::size_t{1} << 20;  // some tens of milliseconds
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_format, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, deflateEnd);
  std::string result;
  std::vector<char> buffer(std::size_t{1} << 16);
  const auto pump = [&](int flush) {
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, flush);
      result.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  };
  for (const std::string_view piece : pieces) {
    for (std::size_t at = 0; at < piece.size(); at += step) {
      throw_if_interrupted();
      // zlib does not write to its input, but its interface lacks the const.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data() + at));
      stream.avail_in = static_cast<uInt>(std::min(piece.size() - at, step));
      pump(Z_NO_FLUSH);
    }
  }
  pump(Z_FINISH);
  return result;
}

}  // namespace

void write_file(const std::string& path, std::span<const std::string> pieces) {
  if (path == "-") {
    write_all(STDOUT_FILENO, pieces, "standard output");
  } else if (path.ends_with(".gz")) {
    const std::vector<std::string> compressed{gzipped(pieces)};
    replace_file(path, compressed);
  } else {
    replace_file(path, pieces);
  }
}

void check_writable(const std::string& path) {
  if (path == "-") {
    return;
  }
  const std::string source = source_name(path);
  const Target target = target_of(path, source);
  if (target.can_be_replaced()) {
    const TemporaryFile vanishes(target.path, target.mode, source);
  }
}

}  // namespace bentwood
