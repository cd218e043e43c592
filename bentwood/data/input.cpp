#include "bentwood/data/input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"

namespace bentwood {
namespace {

[[noreturn]] void fail_to_read(const std::string& source, int number) {
  throw IoError(fmt::format("{}: cannot read: {}", source, system_message(number)), number);
}

/// Standard input is borrowed: a copy of its descriptor is what will be closed. A FIFO is opened without waiting for
/// a writer, which could not be interrupted; wait_for_bytes() waits for it.
int opened(const std::string& path) {
  if (path == "-") {
    return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  }
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
  const int descriptor = open(path.c_str(), flags | O_NONBLOCK);
  // An ordinary file that a server has leased: this one is worth waiting for.
  return descriptor < 0 && errno == EWOULDBLOCK ? open(path.c_str(), flags) : descriptor;
}

}  // namespace

Input::Input(const std::string& path)
    : path_(path), source_(source_name(path)), file_(opened(path)) {
  struct stat status {};
  if (file_.get() < 0 || fstat(file_.get(), &status) != 0) {
    const int number = errno;
    throw IoError(fmt::format("{}: {}", source_, system_message(number)), number);
  }
  if (S_ISDIR(status.st_mode)) {
    throw IoError(fmt::format("{}: is a folder, expected a file", source_), EISDIR);
  }
  may_wait_ = !S_ISREG(status.st_mode);
  // Standard input may be a file that somebody has begun to read.
  if (S_ISREG(status.st_mode) && status.st_size > 0 && path != "-") {
    size_ = static_cast<std::size_t>(status.st_size);
  }
}

std::string_view Input::peek(std::size_t n_bytes) {
  while (ahead_.size() < n_bytes) {
    const std::size_t n_before = ahead_.size();
    ahead_.resize(n_bytes);
    const std::size_t n_more = read_more(std::span(ahead_).subspan(n_before));
    ahead_.resize(n_before + n_more);
    if (n_more == 0) {
      break;
    }
  }
  return std::string_view(ahead_).substr(0, n_bytes);
}

std::size_t Input::read(std::span<char> space) {
  std::size_t n_bytes = std::min(ahead_.size(), space.size());
  if (n_bytes > 0) {
    std::memcpy(space.data(), ahead_.data(), n_bytes);
    ahead_.erase(0, n_bytes);
  } else {
    n_bytes = read_more(space);
  }
  n_read_ += n_bytes;
  return n_bytes;
}

std::size_t Input::read_at(std::size_t offset, std::span<char> space) const {
  while (true) {
    const ssize_t n_bytes =
        pread(file_.get(), space.data(), space.size(), static_cast<off_t>(offset));
    if (n_bytes >= 0) {
      return static_cast<std::size_t>(n_bytes);
    }
    if (errno != EINTR) {
      fail_to_read(source_, errno);
    }
  }
}

std::size_t Input::read_more(std::span<char> space) {
  while (true) {
    throw_if_interrupted();
    wait_for_bytes();
    const ssize_t n_bytes = ::read(file_.get(), space.data(), space.size());
    if (n_bytes >= 0) {
      return static_cast<std::size_t>(n_bytes);
    }
    if (errno != EINTR && errno != EAGAIN) {
      fail_to_read(source_, errno);
    }
  }
}

// In short turns: a signal need not reach this thread, and what asks whether there was one is asked at most every 20
// milliseconds.
void Input::wait_for_bytes() const {
  constexpr int turn = 50;
  pollfd waiting{.fd = file_.get(), .events = POLLIN, .revents = 0};
  while (may_wait_) {
    const int n_ready = poll(&waiting, 1, turn);
    if (n_ready > 0 || (n_ready < 0 && errno != EINTR)) {
      return;  // read() says what is wrong, if anything is
    }
    throw_if_interrupted();
  }
}

}  // namespace bentwood
