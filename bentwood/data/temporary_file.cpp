#include "bentwood/data/temporary_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

/// How many numbers are looked at for files that were left behind; more saves at once to one target are hardly ever killed.
constexpr unsigned n_numbers = 32;

[[noreturn]] void fail(const std::string& source, int number) {
  throw IoError(fmt::format("{}: cannot write: {}", source, system_message(number)), number);
}

/// The beginning of a name, as long as leaves room for what is put behind it. Characters stay whole, because some file systems take
/// UTF-8 only.
std::string beginning(std::string_view name) {
  constexpr std::size_t longest = 100;
  std::size_t length = std::min(name.size(), longest);
  while (length < name.size() && length > 0 &&
         (static_cast<unsigned char>(name[length]) & 0xC0) == 0x80) {
    --length;
  }
  return std::string(name.substr(0, length));
}

/// Whether this very file still has this name.
bool is_called(int descriptor, int folder, const std::string& name) {
  struct stat own {};
  struct stat named {};
  return fstat(descriptor, &own) == 0 &&
         fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         own.st_ino == named.st_ino && own.st_dev == named.st_dev && S_ISREG(own.st_mode);
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& target, unsigned mode, std::string source)
    : source_(std::move(source)),
      folder_path_(target.substr(0, target.find_last_of('/') + 1)),
      target_name_(target.substr(folder_path_.size())),
      mode_(mode),
      folder_(open(folder_path_.empty() ? "." : folder_path_.c_str(),
                   O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_.get() < 0) {
    fail_to_create(errno);
  }
  remove_left_behind();
  constexpr unsigned most = 1000;
  for (unsigned number = 0; !create(number); ++number) {
    if (number == most) {
      fail_to_create(EEXIST);
    }
  }
}

TemporaryFile::~TemporaryFile() {
  if (!renamed_) {
    unlinkat(folder_.get(), name_.c_str(), 0);
  }
  for (const int descriptor : {descriptor_, lock_}) {
    if (descriptor >= 0) {
      close(descriptor);
    }
  }
}

std::string TemporaryFile::name_of(unsigned number) const {
  return fmt::format(".{}.bentwood-{}.tmp", beginning(target_name_), number);
}

// Whoever holds the lock of a file with its name is the only one who may take the name away.
void TemporaryFile::remove_left_behind() const {
  for (unsigned number = 0; number < n_numbers; ++number) {
    const std::string name = name_of(number);
    const FileDescriptor file(
        openat(folder_.get(), name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.get() >= 0 && flock(file.get(), LOCK_EX | LOCK_NB) == 0 &&
        is_called(file.get(), folder_.get(), name)) {
      unlinkat(folder_.get(), name.c_str(), 0);
    }
  }
}

/// False where another number has to be tried. Throws IoError.
bool TemporaryFile::create(unsigned number) {
  constexpr mode_t new_file = 0666;
  constexpr mode_t owner_only = 0600;
  const std::string name = name_of(number);
  const int descriptor = openat(folder_.get(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                                mode_ == 0 ? new_file : owner_only);
  if (descriptor < 0 && errno != EEXIST) {
    fail_to_create(errno);
  }
  if (descriptor < 0) {
    return false;
  }
  // Another process may have found the file before it was locked, and taken it for left behind.
  const bool taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (taken || !is_called(descriptor, folder_.get(), name)) {
    close(descriptor);
    return false;
  }
  descriptor_ = descriptor;
  name_ = name;
  return true;
}

void TemporaryFile::replace_target() {
  // close() can be the call that reports a full disk, so it comes before the rename; the lock outlives it.
  lock_ = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (lock_ < 0 || (mode_ != 0 && fchmod(descriptor_, mode_ & 07777) != 0) ||
      fsync(descriptor_) != 0 || close(std::exchange(descriptor_, -1)) != 0 ||
      renameat(folder_.get(), name_.c_str(), folder_.get(), target_name_.c_str()) != 0) {
    fail(source_, errno);
  }
  renamed_ = true;
  // The new file is in place; some file systems cannot sync a folder, and need not.
  const FileDescriptor folder(openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) {
    fsync(folder.get());
  }
}

void TemporaryFile::fail_to_create(int number) const {
  if (number != ENOENT) {
    fail(source_, number);
  }
  // /proc is a folder and yet says that there is none.
  throw IoError(
      fmt::format("{}: cannot write: {}", source_,
                  folder_.get() >= 0 ? "the folder takes no new files" : "no such folder"),
      number);
}

}  // namespace bentwood
