#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/file_descriptor.hpp"

namespace bentwood {
namespace {

[[noreturn]] void fail(const std::string& source, int number) {
  throw IoError(fmt::format("{}: cannot write: {}", source, system_message(number)), number);
}

void write_all(int descriptor, std::string_view bytes, const std::string& source) {
  constexpr std::size_t write_size = std::size_t{1} << 22;
  while (!bytes.empty()) {
    throw_if_interrupted();
    const ssize_t n_written = write(descriptor, bytes.data(), std::min(bytes.size(), write_size));
    if (n_written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n_written));
    } else if (errno != EINTR) {
      fail(source, errno);
    }
  }
}

void write_all(int descriptor, std::span<const std::string> pieces, const std::string& source) {
  for (const std::string& piece : pieces) {
    write_all(descriptor, piece, source);
  }
}

/// A file that vanishes unless it is renamed to its real name.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& target, std::string source) : source_(std::move(source)) {
    static std::atomic<unsigned> counter = 0;
    const std::size_t slash = target.find_last_of('/');
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    folder_ = slash == std::string::npos ? "." : target.substr(0, name);
    do {
      path_ = fmt::format("{}.{}.{}.{}.tmp", target.substr(0, name), target.substr(name), getpid(),
                          counter++);
      descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) {
      fail_to_create(errno);
    }
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
    if (!renamed_) {
      unlink(path_.c_str());
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void rename_to(const std::string& target) {
    // close() can be the call that reports a full disk, so it comes before the rename.
    if (fsync(descriptor_) != 0 || close(std::exchange(descriptor_, -1)) != 0 ||
        rename(path_.c_str(), target.c_str()) != 0) {
      fail(source_, errno);
    }
    renamed_ = true;
    // The new file is in place; some file systems cannot sync a folder, and need not.
    const FileDescriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() >= 0) {
      fsync(folder.get());
    }
  }

 private:
  [[noreturn]] void fail_to_create(int number) const {
    if (number != ENOENT) {
      fail(source_, number);
    }
    std::error_code ignored;  // /proc is a folder and yet says that there is none
    throw IoError(fmt::format("{}: cannot write: {}", source_,
                              std::filesystem::is_directory(folder_, ignored)
                                  ? "the folder takes no new files"
                                  : "no such folder"),
                  number);
  }

  std::string source_;
  std::string folder_;
  std::string path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

/// What a name stands for now.
struct Target {
  std::string path;
  /// 0 where there is no file yet.
  mode_t mode = 0;

  /// A pipe or a device cannot be replaced, only written to.
  [[nodiscard]] bool can_be_replaced() const { return mode == 0 || S_ISREG(mode); }
};

Target target_of(const std::string& path, const std::string& source) {
  Target target{path};
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return target;
  }
  target.mode = status.st_mode;
  if (S_ISDIR(target.mode)) {
    throw IoError(fmt::format("{}: cannot write: is a folder", source), EISDIR);
  }
  // A link stays a link: the file it points to is replaced.
  if (char* const resolved = realpath(path.c_str(), nullptr)) {
    target.path = resolved;
    free(resolved);  // NOLINT: realpath allocates with malloc
  }
  return target;
}

void replace_file(const std::string& path, std::span<const std::string> pieces) {
  const std::string source = source_name(path);
  const Target target = target_of(path, source);
  if (!target.can_be_replaced()) {
    const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) {
      fail(source, errno);
    }
    write_all(file.get(), pieces, source);
    return;
  }
  TemporaryFile file(target.path, source);
  write_all(file.descriptor(), pieces, source);
  if (target.mode != 0) {
    fchmod(file.descriptor(), target.mode & 07777);
  }
  file.rename_to(target.path);
}

std::string gzipped(std::span<const std::string> pieces) {
  constexpr int gzip_format = 16 + MAX_WBITS;
  constexpr int memory_level = 8;
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
    for (std::size_t at = 0; at < piece.size(); at += UINT_MAX) {
      throw_if_interrupted();
      // zlib does not write to its input, but its interface lacks the const.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data() + at));
      stream.avail_in = static_cast<uInt>(std::min<std::size_t>(piece.size() - at, UINT_MAX));
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
    const TemporaryFile vanishes(target.path, source);
  }
}

}  // namespace bentwood
